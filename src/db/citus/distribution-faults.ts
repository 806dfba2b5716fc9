import type pg from 'pg';
import { loadPlacements, type PlacedTable } from './placement.ts';

/**
 * Returns a sentence for each constraint that a cluster would reject: a uniqueness constraint that a single shard
 * cannot check, or a foreign key between shards.
 */
export async function findDistributionFaults(client: pg.Client | pg.Pool): Promise<string[]> {
  const tables = await loadPlacements(client);
  return [...(await findWideIndexes(client, tables)), ...(await findCrossShardKeys(client, tables))];
}

async function findWideIndexes(client: pg.Client | pg.Pool, tables: PlacedTable[]): Promise<string[]> {
  const { rows } = await client.query<{ index: string }>(
    `select i.indexrelid::regclass::text as index from pg_index i
     where i.indrelid = any ($1::text[]::regclass[]) and (i.indisunique or i.indisexclusion) and not exists (
       select from pg_attribute a
       where a.attrelid = i.indrelid and a.attnum = any (i.indkey) and a.attname = 'workspace_id')`,
    [filterTableNames(tables, 'distributed')],
  );
  return rows.map(({ index }) => `The unique index ${index} lacks workspace_id.`);
}

async function findCrossShardKeys(client: pg.Client | pg.Pool, tables: PlacedTable[]): Promise<string[]> {
  const { rows } = await client.query<ForeignKey>(
    `select f.conname::text as name, s.relname::text as from, t.relname::text as to,
       f.confupdtype::text as "onUpdate", f.confdeltype::text as "onDelete",
       position('workspace_id' in split_part(pg_get_constraintdef(f.oid), 'REFERENCES', 1)) > 0
         and position('workspace_id' in split_part(pg_get_constraintdef(f.oid), 'REFERENCES', 2)) > 0 as near
     from pg_constraint f join pg_class s on s.oid = f.conrelid join pg_class t on t.oid = f.confrelid
     where f.contype = 'f' and f.connamespace = current_schema()::regnamespace and f.conparentid = 0`,
  );
  const places = new Map(tables.map(({ table, placement }) => [table, placement]));
  return rows.flatMap((key) => describeKeyFault(key, places.get(key.from), places.get(key.to)) ?? []);
}

interface ForeignKey {
  name: string;
  from: string;
  to: string;
  /** `pg_constraint` codes: `c` for cascade, `n` for set null, `d` for set default. */
  onUpdate: string;
  onDelete: string;
  /** True if both sides contain `workspace_id`. */
  near: boolean;
}

function describeKeyFault(key: ForeignKey, from?: string, to?: string): string | null {
  const subject = `The foreign key ${key.name} of ${key.from}`;
  if (from === 'reference' && to === 'distributed')
    return `${subject} leads from a table on every node to one that is distributed.`;
  if (from === 'local' && to === 'distributed') return `${subject} leads from the coordinator to workers.`;
  if (from === 'distributed' && to === 'local') return `${subject} leads from workers to the coordinator.`;
  if (from !== 'distributed') return null;
  if (to === 'distributed' && !key.near) return `${subject} lacks workspace_id.`;
  if (['c', 'n', 'd'].includes(key.onUpdate))
    return `${subject} passes changes of keys on: ON UPDATE NO ACTION.`;
  if (['n', 'd'].includes(key.onDelete)) return `${subject} would set workspace_id: ON DELETE NO ACTION.`;
  return null;
}

const filterTableNames = (tables: PlacedTable[], wantedPlacement: PlacedTable['placement']): string[] =>
  tables.filter(({ placement }) => placement === wantedPlacement).map(({ table }) => table);
