import type { Db } from '../../db/db.ts';
import type { Sql } from '../../db/sql.ts';
import { limits } from '../../limits.ts';

/**
 * Repeats a statement until no rows are left. The statement changes at most `limits.sql.batchRows` rows and returns
 * their number as `n`, so that it does not exceed the statement timeout or lock many rows.
 * @returns the total number of changed rows
 */
export async function runInBatches(db: Db, statement: Sql): Promise<number> {
  for (let all = 0; ; ) {
    const [row] = await db.rows<{ n: number }>(statement);
    all += row!.n;
    if (row!.n < limits.sql.batchRows) return all;
  }
}
