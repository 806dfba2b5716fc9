import { distribute } from '../../../src/db/citus/distribute.ts';
import { migrate } from '../../../src/db/migrations/migrate.ts';
import { withDatabase } from '../on-database.ts';

/** A new installation may begin on a cluster. */
const FOUNDING = { founds: ({ databaseUrl }: { databaseUrl: string | null }) => databaseUrl !== null };

/** @throws Error saying what the cluster lacks */
export const citusDistribute = (shards: number) =>
  withDatabase(async ({ directUrl }) => {
    const log = (line: string) => process.stderr.write(`${line}\n`);
    const upToDate = () => migrate(directUrl, log);
    const { tables, restored } = await distribute(directUrl, shards, upToDate, log);
    return { tables: tables.length, foreign_keys_and_triggers: restored };
  }, FOUNDING);
