import type { Db } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { limits } from '../../limits.ts';

/** What is taken away of a table as it grows old. */
export interface PurgeOptions {
  table: string;
  /** The column by which rows are old, of `t` in SQL; an index leads with it. */
  time: string;
  /** The time before which they are. */
  before: Sql;
  /** Columns that a row of a workspace is known by, with their types. */
  key: Record<string, 'bigint' | 'text'>;
  /**
   * Another condition on a row `t`, asked again as the row is taken. Other tables are bound to `workspace`: a column
   * while rows are chosen, a parameter then.
   */
  also?: (workspace: unknown) => Sql;
  /** How each statement begins, for rows that are changed instead of deleted; they must not be chosen again then. */
  change?: Sql;
}

/** A row that is chosen: its workspace, its time and its key. */
type ChosenRow = { workspace_id: number | null; at: string } & Record<string, unknown>;

/**
 * Deletes old rows, the oldest first: however many there are, no statement reads more of them than it deletes, and none
 * deletes more than `limits.sql.batchRows`. They are looked up across workspaces without a lock, and deleted by their
 * keys in each, unless `also` is true of them no longer.
 * @returns how many were chosen
 */
export async function purgeRows(db: Db, what: PurgeOptions): Promise<number> {
  let all = 0;
  for (let after = '-infinity'; ; ) {
    const chosen = await chooseRows(db, what, after);
    for (const [workspaceId, rows] of Map.groupBy(chosen, (row) => row.workspace_id))
      await purgeChosen(db, what, workspaceId, rows);
    all += chosen.length;
    if (chosen.length < limits.sql.batchRows) return all;
    after = chosen.at(-1)!.at;
  }
}

/** From where the last ones ended, so that what was deleted is not walked over again. */
function chooseRows(
  db: Db,
  { table, time, before, key, also }: PurgeOptions,
  after: string,
): Promise<ChosenRow[]> {
  const at = sql.id('t', time);
  const columns = sql.join(Object.keys(key).map((name) => sql.id('t', name)));
  const more = also ? sql` and ${also(sql`t.workspace_id`)}` : sql.empty;
  return db.rows<ChosenRow>(
    sql`select t.workspace_id, ${at}::text as at, ${columns} from ${sql.id(table)} t
     where ${at} >= ${after}::timestamp and ${at} < ${before}${more}
     order by ${at} limit ${sql.literal(limits.sql.batchRows)}`,
  );
}

const ARRAY_TYPES = { bigint: sql`bigint[]`, text: sql`text[]` };

/** Rows of a workspace, or of none where the table has such. */
async function purgeChosen(
  db: Db,
  what: PurgeOptions,
  workspaceId: number | null,
  rows: ChosenRow[],
): Promise<void> {
  const names = Object.keys(what.key);
  const columns = sql.join(names.map((name) => sql.id('t', name)));
  const lists = sql.join(
    names.map((name) => sql`${rows.map((row) => row[name])}::${ARRAY_TYPES[what.key[name]!]}`),
  );
  const change = what.change ?? sql`delete from ${sql.id(what.table)} t`;
  const workspace = sql.param(workspaceId);
  const whose = workspaceId === null ? sql`t.workspace_id is null` : sql`t.workspace_id = ${workspace}`;
  const still = what.also ? sql` and ${what.also(sql`${workspace}::int`)}` : sql.empty;
  await db.rows(sql`${change} where ${whose} and (${columns}) in (select * from unnest(${lists}))${still}`);
}
