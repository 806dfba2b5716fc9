import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { FinishCommand } from '../done.ts';
import { addExamples } from '../example.ts';

export function addMigrateCommand(program: Command, done: FinishCommand): void {
  addExamples(
    program
      .command('migrate')
      .description('Update the database schema to this version. Starting the server does this as well.')
      .action(async () => {
        const { createsOnServer, runOnDatabase } = await import('../on-database.ts');
        const { findSecret } = await import('../../../src/config.ts');
        // Migrations need no key, and where a start will keep it is not known here.
        const secretOf = ({ dataDir }: { dataDir: string }) => findSecret(dataDir) ?? randomUUID();
        done(await runOnDatabase(async ({ applied }) => ({ applied }), { ...createsOnServer, secretOf }));
      }),
    'migrate',
  );
}
