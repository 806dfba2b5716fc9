import { distributeTables } from '../../../src/db/citus/distribute.ts';
import { migrateDatabase } from '../../../src/db/migrations/migrate.ts';
import { CREATE_ON_SERVER, withDatabase } from '../run-on-database.ts';

/** @throws Error with the unmet requirements of the cluster */
export const runCitusDistribute = (shards: number) =>
  withDatabase(async ({ directUrl }) => {
    const log = (line: string) => process.stderr.write(`${line}\n`);
    const migrateToLatest = () => migrateDatabase(directUrl, log);
    const { tables, restored } = await distributeTables(directUrl, shards, migrateToLatest, log);
    return { tables: tables.length, foreign_keys_and_triggers: restored };
  }, CREATE_ON_SERVER);
