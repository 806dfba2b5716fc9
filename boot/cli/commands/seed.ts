import type { Command } from 'commander';
import { type CommandFinisher, formatExamples } from '../command.ts';

export function addSeedCommands(program: Command, finish: CommandFinisher): void {
  const seed = program.command('seed').description('Add sample data.');
  seed
    .command('demo')
    .description('Add sample contacts, leads, projects, products and orders.')
    .option('--workspace <slug>', 'slug of the workspace', 'main')
    .addHelpText('after', formatExamples('seed demo --workspace main'))
    .action(async ({ workspace }: { workspace: string }) => {
      const { seedDemo } = await import('../actions/seed.ts');
      finish(await seedDemo(workspace));
    });
}
