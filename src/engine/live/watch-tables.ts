import { type Database, runWithRetries } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import type { Model, Registry } from '../model/model.ts';

export const getTopicName = ({ table, customId }: Model): string =>
  customId === null ? table : `${table}:${customId}`;

/**
 * Installs the change triggers on all record tables, because migrations create tables without them. Tables distributed
 * by Citus have no triggers; their changes are logged on commit (src/db/notifications/cache-invalidation.ts).
 */
export async function watchTables(db: Database, registry: Registry): Promise<void> {
  // Custom models share this table and are missing from this registry.
  const tables = new Set(['ir_record', ...[...registry.values()].map((model) => model.table)]);
  const spread = await loadDistributedTables(db);
  if (spread.size > 0)
    db.invalidations.trackTables(
      new Set([...tables].filter((name) => spread.has(name))),
      await loadCascadingTables(db),
    );
  const missingRows = await db.rows<{ name: string }>(
    sql`select c.relname::text as name from pg_class c
     where c.relnamespace = current_schema()::regnamespace
       and c.relname = any(${[...tables].filter((name) => !spread.has(name))}::text[]::name[])
       and not exists (select from pg_trigger where tgrelid = c.oid and tgname = 'live created')
       and exists (select from pg_attribute where attrelid = c.oid and attname = 'workspace_id')`,
  );
  if (missingRows.length === 0) return;
  await runWithRetries(() =>
    db.transaction(async (tx) => {
      // Serializes processes that start at the same time.
      await tx.rows(sql`select pg_advisory_xact_lock(hashtext('atrium_watch'))`);
      for (const { name } of missingRows) await tx.rows(sql`select atrium_watch(to_regclass(${name}))`);
    }),
  );
}

/** Loads the names of the tables that Citus distributes or replicates to other nodes. */
async function loadDistributedTables(db: Database): Promise<Set<string>> {
  const hasCitus = await db.value<boolean>(sql`select to_regclass('pg_dist_partition') is not null`);
  if (!hasCitus) return new Set();
  const rows = await db.rows<{ name: string }>(
    sql`select logicalrelid::regclass::text as name from pg_dist_partition
      where partmethod = 'h' or repmodel = 't'`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Loads the tables that a delete cascades to, by the table of the deleted row. */
async function loadCascadingTables(db: Database): Promise<Map<string, Set<string>>> {
  const rows = await db.rows<{ name: string; reached: string[] }>(
    sql`with recursive reaches(name, reached) as (
       select confrelid, conrelid from pg_constraint where contype = 'f' and confdeltype = 'c'
       union
       select r.name, c.conrelid from reaches r join pg_constraint c on c.confrelid = r.reached
       where c.contype = 'f' and c.confdeltype = 'c'
     ) select name::regclass::text as name, array_agg(reached::regclass::text) as reached from reaches group by 1`,
  );
  return new Map(rows.map(({ name, reached }) => [name, new Set(reached)]));
}
