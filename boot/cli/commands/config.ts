import type { Command } from 'commander';
import { type CommandFinisher, formatExamples } from '../command.ts';

export function addConfigCommand(program: Command, finish: CommandFinisher): void {
  program
    .command('config')
    .description(
      'Show the settings in effect with their sources, and unknown settings. Does not connect to the database.',
    )
    .addHelpText('after', formatExamples('config'))
    .action(async () => {
      const { showConfig } = await import('../actions/config.ts');
      finish(showConfig());
    });
}
