import type { CliCommand, WorkspaceOption } from '../command.ts';

export function addSeedCommands(program: CliCommand): void {
  const seed = program.command('seed').description('Add sample data.');
  seed
    .command('demo')
    .description('Add sample contacts, leads, projects, products and orders.')
    .option('--workspace <slug>', 'slug of the workspace', 'main')
    .examples('seed demo --workspace main')
    .runs(async ({ workspace }: WorkspaceOption) => (await import('../actions/seed.ts')).seedDemo(workspace));
}
