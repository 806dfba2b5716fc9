import type { Command } from 'commander';
import type { Done } from '../done.ts';
import { examples } from '../example.ts';

export function addMigrateCommand(program: Command, done: Done): void {
  examples(
    program
      .command('migrate')
      .description('Update the database schema to this version. Starting the server does this as well.')
      .action(async () => {
        const { onDatabase } = await import('../on-database.ts');
        done(await onDatabase(async ({ applied }) => ({ applied })));
      }),
    'migrate',
  );
}
