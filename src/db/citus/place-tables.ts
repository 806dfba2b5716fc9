import type pg from 'pg';
import { loadPlacements, type PlacedTable } from './placement.ts';

/** Table that all other distributed tables are colocated with. */
const COLOCATION_TABLE = 'workspace_counter';

/** Must run within the migration's transaction. */
export async function placeNewTables(client: pg.Pool): Promise<void> {
  for (const unplacedTable of await findUnplacedTables(client)) await placeTable(client, unplacedTable);
}

/** Finds unplaced tables, in the order they must be placed. */
export async function findUnplacedTables(client: pg.Client | pg.Pool): Promise<PlacedTable[]> {
  const { rows } = await client.query<{ table: string }>(
    `select c.relname::text as table from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
     where c.relnamespace = current_schema()::regnamespace and (p.partmethod = 'h' or p.repmodel = 't')`,
  );
  const placedTables = new Set(rows.map(({ table }) => table));
  const waitingTables = (await loadPlacements(client)).filter(
    ({ table, placement }) => placement !== 'local' && !placedTables.has(table),
  );
  const getOrder = ({ table, placement }: PlacedTable) =>
    placement === 'reference' ? 0 : table === COLOCATION_TABLE ? 1 : 2;
  return waitingTables.sort((a, b) => getOrder(a) - getOrder(b));
}

/** Must run in a transaction, because Citus copies the rows before the originals are removed. */
export async function placeTable(
  client: pg.Client | pg.Pool,
  { table, placement }: PlacedTable,
  shards?: number,
): Promise<void> {
  await client.query(`set local citus.multi_shard_modify_mode to 'sequential'`);
  const name = quoteIdentifier(table);
  if (placement === 'reference') await client.query('select create_reference_table($1)', [name]);
  else if (table === COLOCATION_TABLE)
    await client.query(
      `select create_distributed_table($1, 'workspace_id', colocate_with => 'none', shard_count => $2)`,
      [name, shards],
    );
  else
    await client.query(`select create_distributed_table($1, 'workspace_id', colocate_with => $2)`, [
      name,
      COLOCATION_TABLE,
    ]);
  await client.query('select truncate_local_data_after_distributing_table($1)', [name]);
}

const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
