import type { Command } from 'commander';
import type { Done } from '../done.ts';
import { examples } from '../example.ts';

export function addSeedCommands(program: Command, done: Done): void {
  const seed = program.command('seed').description('Sample data.');
  examples(
    seed
      .command('demo')
      .description('Add sample contacts, leads, projects, products and orders.')
      .option('--workspace <slug>', 'the workspace', 'main')
      .action(async ({ workspace }: { workspace: string }) => {
        const { seedDemo } = await import('../actions/seed.ts');
        done(await seedDemo(workspace));
      }),
    'seed demo --workspace main',
  );
}
