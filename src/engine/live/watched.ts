import type { Database } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Model, Registry } from '../model/model.ts';

/** What the changes of a model's records are noted under (see the migration `live`). */
export const topicOf = ({ table, customId }: Model): string =>
  customId === null ? table : `${table}:${customId}`;

/** Lets the changes of every table of records be noted: a migration makes tables, and knows nothing of this. */
export async function watchTables(db: Database, registry: Registry): Promise<void> {
  const tables = [...new Set([...registry.values()].map((model) => model.table))];
  const missing = await db.rows<{ name: string }>(
    sql`select t.name from unnest(${tables}::text[]) t(name)
     where not exists (select from pg_trigger where tgrelid = to_regclass(t.name) and tgname = 'live created')
       and exists (select from pg_attribute where attrelid = to_regclass(t.name) and attname = 'workspace_id')`,
  );
  if (missing.length === 0) return;
  await db.transaction(async (tx) => {
    // Several processes may start together.
    await tx.rows(sql`select pg_advisory_xact_lock(hashtext('atrium_watch'))`);
    for (const { name } of missing) await tx.rows(sql`select atrium_watch(to_regclass(${name}))`);
  });
}
