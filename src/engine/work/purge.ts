import type { Db } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { limits } from '../../limits.ts';
import { defineJob } from './jobs.ts';

interface PurgeOptions {
  table: string;
  /** Timestamp column that determines a row's age. An index must start with it. */
  time: string;
  /** Rows with an earlier timestamp are deleted. */
  before: Sql;
  /** Columns that identify a row within its workspace, with their types. */
  key: Record<string, 'bigint' | 'text'>;
  /**
   * Additional condition on a row `t`, checked again on deletion. Conditions on other tables must be restricted to
   * `workspace`, which is a column in the selection and a parameter in the deletion.
   */
  also?: (workspace: unknown) => Sql;
  /** Start of an `update` statement that replaces the `delete`. Updated rows must no longer match the conditions. */
  change?: Sql;
}

type ChosenRow = { workspace_id: number | null; at: string } & Record<string, unknown>;

/** Declares a scheduled job that deletes old rows (see `purgeRows`). @param cron expression in UTC */
export const definePurgeJob = (name: string, cron: string, ...purges: PurgeOptions[]): void =>
  defineJob({
    name,
    cron,
    async run({ db }) {
      for (const options of purges) await purgeRows(db, options);
    },
  });

/**
 * Deletes old rows, oldest first. No statement reads more rows than it deletes, or deletes more than
 * `limits.sql.batchRows` rows. Rows are selected across workspaces without a lock, then deleted by key in each
 * workspace if `also` still holds.
 * @returns the number of selected rows
 */
export async function purgeRows(db: Db, options: PurgeOptions): Promise<number> {
  let all = 0;
  for (let after = '-infinity'; ; ) {
    const chosenRows = await chooseRows(db, options, after);
    for (const [workspaceId, rows] of Map.groupBy(chosenRows, (row) => row.workspace_id))
      await purgeChosenRows(db, options, workspaceId, rows);
    all += chosenRows.length;
    if (chosenRows.length < limits.sql.batchRows) return all;
    after = chosenRows.at(-1)!.at;
  }
}

/** Starts after the last selected row, so that deleted rows are not scanned again. */
function chooseRows(
  db: Db,
  { table, time, before, key, also }: PurgeOptions,
  after: string,
): Promise<ChosenRow[]> {
  const timeColumn = sql.id('t', time);
  const columns = sql.join(Object.keys(key).map((name) => sql.id('t', name)));
  const extra = also ? sql` and ${also(sql`t.workspace_id`)}` : sql.empty;
  return db.rows<ChosenRow>(
    sql`select t.workspace_id, ${timeColumn}::text as at, ${columns} from ${sql.id(table)} t
     where ${timeColumn} >= ${after}::timestamp and ${timeColumn} < ${before}${extra}
     order by ${timeColumn} limit ${sql.literal(limits.sql.batchRows)}`,
  );
}

const ARRAY_TYPES = { bigint: sql`bigint[]`, text: sql`text[]` };

async function purgeChosenRows(
  db: Db,
  options: PurgeOptions,
  workspaceId: number | null,
  rows: ChosenRow[],
): Promise<void> {
  const names = Object.keys(options.key);
  const columns = sql.join(names.map((name) => sql.id('t', name)));
  const lists = sql.join(
    names.map((name) => sql`${rows.map((row) => row[name])}::${ARRAY_TYPES[options.key[name]!]}`),
  );
  const change = options.change ?? sql`delete from ${sql.id(options.table)} t`;
  const workspace = sql.param(workspaceId);
  const condition = workspaceId === null ? sql`t.workspace_id is null` : sql`t.workspace_id = ${workspace}`;
  const extraCondition = options.also ? sql` and ${options.also(sql`${workspace}::int`)}` : sql.empty;
  await db.rows(
    sql`${change} where ${condition} and (${columns}) in (select * from unnest(${lists}))${extraCondition}`,
  );
}
