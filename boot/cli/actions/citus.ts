import { distribute } from '../../../src/db/citus/distribute.ts';
import { onDatabase } from '../on-database.ts';

/** @throws Error saying what the cluster lacks */
export const citusDistribute = (shards: number) =>
  onDatabase(async ({ directUrl }) => {
    const { tables, restored } = await distribute(directUrl, shards, (line) =>
      process.stderr.write(`${line}\n`),
    );
    return { tables: tables.length, foreign_keys_and_triggers: restored };
  });
