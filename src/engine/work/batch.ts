import type { Db } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { limits } from '../../limits.ts';

/**
 * Repeats a statement that changes at most `limits.sql.batchRows` rows and answers with their number `n`, until none
 * are left: however many there are, none takes longer than a statement may, and none keeps many rows from others.
 * @returns how many in all
 */
export async function inBatches(db: Db, statement: Sql): Promise<number> {
  for (let all = 0; ; ) {
    const [row] = await db.rows<{ n: number }>(statement);
    all += row!.n;
    if (row!.n < limits.sql.batchRows) return all;
  }
}

/**
 * Changes or deletes rows in batches.
 * @param change how the statement begins, such as `delete from svc_event`
 * @param choice a select of the `ctid` of the rows it is about; they must not be chosen again once changed
 * @returns how many
 */
export const changeChosen = (db: Db, change: Sql, choice: Sql): Promise<number> =>
  inBatches(
    db,
    sql`with chosen as materialized (${choice} limit ${sql.literal(limits.sql.batchRows)}),
       changed as (${change} where ctid = any(array(select ctid from chosen)))
     select count(*)::int as n from chosen`,
  );
