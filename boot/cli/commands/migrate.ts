import type { Command } from 'commander';
import type { Done } from '../done.ts';

export function addMigrateCommand(program: Command, done: Done): void {
  program
    .command('migrate')
    .description('Bring the database to the state of this version; a start does so too.')
    .action(async () => {
      const { onDatabase } = await import('../on-database.ts');
      done(await onDatabase(async ({ applied }) => ({ applied })));
    });
}
