import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { Done } from '../done.ts';
import { examples } from '../example.ts';

export function addMigrateCommand(program: Command, done: Done): void {
  examples(
    program
      .command('migrate')
      .description('Update the database schema to this version. Starting the server does this as well.')
      .action(async () => {
        const { foundsOnServer, onDatabase } = await import('../on-database.ts');
        const { findSecret } = await import('../../../src/config.ts');
        // Migrations need no key, and where a start will keep it is not known here.
        const secretOf = ({ dataDir }: { dataDir: string }) => findSecret(dataDir) ?? randomUUID();
        done(await onDatabase(async ({ applied }) => ({ applied }), { ...foundsOnServer, secretOf }));
      }),
    'migrate',
  );
}
