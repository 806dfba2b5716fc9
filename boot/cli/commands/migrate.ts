import { randomUUID } from 'node:crypto';
import type { CliCommand } from '../command.ts';

export function addMigrateCommand(program: CliCommand): void {
  program
    .command('migrate')
    .description('Migrate the database to this version. The server also does this when it starts.')
    .examples('migrate')
    .runs(async () => {
      const { CREATE_ON_SERVER, runOnDatabase } = await import('../run-on-database.ts');
      const { findSecret } = await import('../../../src/config.ts');
      // Migrations don't need the secret key, whose location is not decided until the first start.
      const getSecret = ({ dataDir }: { dataDir: string }) => findSecret(dataDir) ?? randomUUID();
      const policy = { ...CREATE_ON_SERVER, getSecret };
      return runOnDatabase(async ({ applied }) => ({ applied }), policy);
    });
}
