import type { Command } from 'commander';
import type { Done } from '../done.ts';
import { examples } from '../example.ts';

export function addConfigCommand(program: Command, done: Done): void {
  examples(
    program
      .command('config')
      .description(
        'Show the settings in effect and where each comes from, and name unknown ones. Opens no database.',
      )
      .action(async () => {
        const { configShown } = await import('../actions/config.ts');
        done(configShown());
      }),
    'config',
  );
}
