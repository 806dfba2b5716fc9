import type { CliCommand } from '../command.ts';

export function addConfigCommand(program: CliCommand): void {
  program
    .command('config')
    .description(
      'Show the settings in effect with their sources, and unknown settings. Does not connect to the database.',
    )
    .examples('config')
    .runs(async () => (await import('../actions/config.ts')).showConfig());
}
