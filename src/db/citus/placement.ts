import type pg from 'pg';

/** Where a cluster keeps the rows of a table. */
export type Placement = 'distributed' | 'reference' | 'local';

/** Whole on every node: few rows, which many workspaces read and rarely one changes. */
const REFERENCE_TABLES = new Set([
  'workspace',
  'installation',
  'ir_model_stock',
  'ir_field_stock',
  'domain_claim',
]);

/** On the coordinator alone, and joined with no table of workspaces: rows of none, or not yet, or of a transaction. */
const LOCAL_TABLES = new Set([
  '_prisma_migrations',
  'svc_change',
  'svc_live',
  'svc_provider_event',
  'svc_worker',
]);

/** A table of the schema and the columns of its primary key. */
export interface PlacedTable {
  table: string;
  placement: Placement;
}

/**
 * What becomes of each table. Those whose key holds `workspace_id` are distributed by it, the others are listed above.
 * @throws Error naming a table that is neither
 */
export async function loadPlacements(client: pg.Client | pg.Pool): Promise<PlacedTable[]> {
  const { rows } = await client.query<{ table: string; keyed: boolean }>(
    `select c.relname::text as table, exists (
       select from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
       where i.indrelid = c.oid and i.indisprimary and a.attname = 'workspace_id') as keyed
     from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname`,
  );
  return rows.map(({ table, keyed }) => ({ table, placement: getPlacement(table, keyed) }));
}

/** Pure. */
export function getPlacement(table: string, keyed: boolean): Placement {
  if (LOCAL_TABLES.has(table)) return 'local';
  if (REFERENCE_TABLES.has(table)) return 'reference';
  if (keyed) return 'distributed';
  throw new Error(
    `The primary key of ${table} lacks workspace_id, and no list of src/db/citus/placement.ts names the table.`,
  );
}
