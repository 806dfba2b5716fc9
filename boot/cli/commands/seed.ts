import type { Command } from 'commander';
import { addExamples } from '../example.ts';
import type { CommandFinisher } from '../finish-command.ts';

export function addSeedCommands(program: Command, finish: CommandFinisher): void {
  const seed = program.command('seed').description('Add sample data.');
  addExamples(
    seed
      .command('demo')
      .description('Add sample contacts, leads, projects, products and orders.')
      .option('--workspace <slug>', 'slug of the workspace', 'main')
      .action(async ({ workspace }: { workspace: string }) => {
        const { seedDemo } = await import('../actions/seed.ts');
        finish(await seedDemo(workspace));
      }),
    'seed demo --workspace main',
  );
}
