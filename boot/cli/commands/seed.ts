import type { Command } from 'commander';
import type { Done } from '../done.ts';

export function addSeedCommands(program: Command, done: Done): void {
  const seed = program.command('seed').description('Records to try things on.');
  seed
    .command('demo')
    .description('Add contacts, leads, projects, products and orders to look at.')
    .option('--workspace <slug>', 'the workspace', 'main')
    .action(async ({ workspace }: { workspace: string }) => {
      const { seedDemo } = await import('../actions/seed.ts');
      done(await seedDemo(workspace));
    });
}
