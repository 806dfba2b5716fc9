import { distribute } from '../../../src/db/citus/distribute.ts';
import { migrate } from '../../../src/db/migrations/migrate.ts';
import { foundsOnServer, withDatabase } from '../on-database.ts';

/** @throws Error saying what the cluster lacks */
export const citusDistribute = (shards: number) =>
  withDatabase(async ({ directUrl }) => {
    const log = (line: string) => process.stderr.write(`${line}\n`);
    const upToDate = () => migrate(directUrl, log);
    const { tables, restored } = await distribute(directUrl, shards, upToDate, log);
    return { tables: tables.length, foreign_keys_and_triggers: restored };
  }, foundsOnServer);
