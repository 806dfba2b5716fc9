import type { Db } from '../../db/db.ts';
import type { Sql } from '../../db/sql.ts';
import { limits } from '../../limits.ts';

/**
 * Repeats a statement that changes at most `limits.sql.batchRows` rows and answers with their number `n`, until none
 * are left: however many there are, none takes longer than a statement may, and none keeps many rows from others.
 * @param done hears of each answer
 * @returns how many in all
 */
export async function runInBatches<R extends { n: number }>(
  db: Db,
  statement: Sql,
  done: (answer: R) => void = () => undefined,
): Promise<number> {
  for (let all = 0; ; ) {
    const [row] = await db.rows<R>(statement);
    done(row!);
    all += row!.n;
    if (row!.n < limits.sql.batchRows) return all;
  }
}
