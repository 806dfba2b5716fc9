import type { Command } from 'commander';
import { formatExamples } from '../example.ts';
import type { CommandFinisher } from '../finish-command.ts';

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
