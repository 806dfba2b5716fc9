import type { RootDb } from '../../db/db.ts';
import { type Sql, sql } from '../../db/sql.ts';

// Deletes a workspace's rows in bounded steps, each in its own transaction.

/** Maximum rows per statement. Steps become smaller while other rows reference the rows to delete. */
const MAX_ROWS_PER_STEP = 2_000;

export interface DeletableTable {
  name: string;
  key: string[];
}

/** Loads the named tables, ordered by how many foreign keys reference them. */
export const loadTables = (db: RootDb, names: string[]): Promise<DeletableTable[]> =>
  db.rows<DeletableTable>(
    sql`select c.relname as name, array_agg(a.attname::text order by a.attnum) as key,
       (select count(*)::int from pg_constraint r where r.contype = 'f' and r.confrelid = c.oid) as referred
     from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
       join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
     where c.relnamespace = current_schema()::regnamespace and c.relname = any(${names})
     group by c.oid, c.relname order by referred, c.relname`,
  );

/** A nullable column that references its own table, or a table that is deleted earlier. */
interface BackReference {
  table: string;
  column: string;
}

/** @param tables in deletion order */
export const loadBackReferences = (
  db: RootDb,
  tables: readonly DeletableTable[],
): Promise<BackReference[]> => {
  const names = sql.param(tables.map(({ name }) => name));
  return db.rows<BackReference>(
    sql`select distinct c.relname as table, a.attname as column
     from pg_constraint r join pg_class c on c.oid = r.conrelid join pg_class p on p.oid = r.confrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = any(r.conkey) and a.attname <> 'workspace_id'
     where r.contype = 'f' and r.confdeltype in ('a', 'r') and r.connamespace = current_schema()::regnamespace
       and not a.attnotnull and array_position(${names}::text[], p.relname::text)
         <= array_position(${names}::text[], c.relname::text)
     order by 1, 2`,
  );
};

export interface DeletionOptions {
  /** Condition on the rows, which have the alias `f`. Defaults to all rows. */
  condition?: Sql;
  step?: number;
  /** Called after each step with the number of deleted rows, or null if a reference prevented the step. */
  done?(count: number | null): Promise<void>;
}

/** Sets a column to null, so that the rows it references can be deleted. */
export async function emptyColumn(
  db: RootDb,
  { name, key }: DeletableTable,
  column: string,
  id: number,
  { condition = sql`true`, step = MAX_ROWS_PER_STEP, done }: DeletionOptions = {},
): Promise<void> {
  const columns = sql.join(key.map((item) => sql.id(item)));
  for (;;) {
    const count = await db.value<number>(
      sql`with emptied as (
         update ${sql.id(name)} t set ${sql.id(column)} = null where t.workspace_id = ${id} and (${columns}) in (
           select ${columns} from ${sql.id(name)} f where f.workspace_id = ${id}
             and f.${sql.id(column)} is not null and ${condition} limit ${step})
         returning 1)
       select count(*)::int from emptied`,
    );
    if (count === 0) return;
    await done?.(0);
  }
}

/** @returns the number of deleted rows; rows that are still referenced are kept */
export async function deleteTableRows(
  db: RootDb,
  table: DeletableTable,
  id: number,
  { condition = sql`true`, step: maxRows = MAX_ROWS_PER_STEP, done }: DeletionOptions = {},
): Promise<number> {
  let [deleted, step, skipped] = [0, maxRows, 0];
  for (;;) {
    const count = await deleteStep(db, table, id, condition, step, skipped);
    if (count === 0) return deleted;
    if (count === null) {
      if (step === 1) skipped++;
      else step = Math.ceil(step / 8);
      await done?.(null);
      if (skipped > maxRows) return deleted;
    } else {
      deleted += count;
      step = Math.min(maxRows, step * 2);
      await done?.(count);
    }
  }
}

/**
 * Deletes the newest rows first, because rows reference older ones.
 * @returns null if another row references one of them
 */
async function deleteStep(
  db: RootDb,
  { name, key }: DeletableTable,
  id: number,
  condition: Sql,
  step: number,
  skipped: number,
): Promise<number | null> {
  const columns = sql.join(key.map((column) => sql.id(column)));
  const newest = sql.join(key.map((column) => sql`${sql.id(column)} desc`));
  try {
    return await db.value<number>(
      sql`with gone as (
         delete from ${sql.id(name)} t where t.workspace_id = ${id} and (${columns}) in (
           select ${columns} from ${sql.id(name)} f where f.workspace_id = ${id} and ${condition}
           order by ${newest} limit ${step} offset ${skipped})
         returning 1)
       select count(*)::int from gone`,
    );
  } catch (error) {
    if (isForeignKeyViolation(error)) return null;
    throw error;
  }
}

const isForeignKeyViolation = (error: unknown): boolean =>
  /^2300[13]$|^23503$/.test((error as { code?: string }).code ?? '');
