import type pg from 'pg';

type Placement = 'distributed' | 'reference' | 'local';

/** Tables copied to every node: few rows that rarely change and are read by many workspaces. */
const REFERENCE_TABLES = new Set([
  'workspace',
  'installation',
  'ir_model_stock',
  'ir_field_stock',
  'domain_claim',
]);

/**
 * Tables that exist only on the coordinator and are never joined with distributed tables. Their rows have no workspace,
 * are not assigned to one yet, are tied to a transaction, or are polled for all workspaces.
 */
const LOCAL_TABLES = new Set([
  '_prisma_migrations',
  'svc_change',
  'svc_due',
  'svc_live',
  'svc_provider_event',
  'svc_worker',
]);

export interface PlacedTable {
  table: string;
  placement: Placement;
}

/**
 * Determines the placement of each table. Tables with `workspace_id` in their key are distributed by it; other tables
 * must be listed above.
 * @throws Error naming a table that is neither keyed nor listed
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

export function getPlacement(table: string, isKeyed: boolean): Placement {
  if (LOCAL_TABLES.has(table)) return 'local';
  if (REFERENCE_TABLES.has(table)) return 'reference';
  if (isKeyed) return 'distributed';
  throw new Error(
    `The primary key of ${table} lacks workspace_id, and no list of src/db/citus/placement.ts names the table.`,
  );
}
