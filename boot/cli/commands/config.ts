import type { Command } from 'commander';
import type { FinishCommand } from '../done.ts';
import { addExamples } from '../example.ts';

export function addConfigCommand(program: Command, done: FinishCommand): void {
  addExamples(
    program
      .command('config')
      .description(
        'Show the settings in effect and where each comes from, and name unknown ones. Opens no database.',
      )
      .action(async () => {
        const { showConfig } = await import('../actions/config.ts');
        done(showConfig());
      }),
    'config',
  );
}
