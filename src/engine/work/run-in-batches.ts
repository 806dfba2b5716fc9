import type { Db } from '../../db/db.ts';
import type { Sql } from '../../db/sql.ts';
import { limits } from '../../limits.ts';

/**
 * Repeats a statement until it changes no more rows. The statement changes at most `limits.sql.batchRows` rows and
 * returns their number `n`. No run exceeds the time limit of statements or locks many rows.
 * @param onDone called with each result
 * @returns the total number of rows
 */
export async function runInBatches<R extends { n: number }>(
  db: Db,
  statement: Sql,
  onDone: (result: R) => void = () => undefined,
): Promise<number> {
  for (let all = 0; ; ) {
    const [row] = await db.rows<R>(statement);
    onDone(row!);
    all += row!.n;
    if (row!.n < limits.sql.batchRows) return all;
  }
}
