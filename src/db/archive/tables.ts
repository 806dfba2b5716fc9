import type pg from 'pg';
import { getPrismaModels, isTenantModel, toTableName } from '../tripwire.ts';

export interface ArchivedTable {
  name: string;
  columns: { name: string; type: string }[];
  /** Primary key columns other than the workspace. Rows are sorted by them. */
  key: string[];
  /** Columns that may refer to rows later in the archive. `isOwn` is true for references within the table. */
  later: { column: string; isOwn: boolean }[];
}

interface TableRow {
  name: string;
  columns: ArchivedTable['columns'];
  key: string[];
}

interface TableReference {
  child: string;
  parent: string;
  columns: string[];
  required: boolean;
}

/** Loads the tables in an order that satisfies required references. */
export async function loadArchivedTables(
  client: pg.Client,
  leftOut: ReadonlySet<string>,
): Promise<ArchivedTable[]> {
  const names = Object.keys(getPrismaModels())
    .filter(isTenantModel)
    .map(toTableName)
    .filter((name) => !leftOut.has(name));
  const { rows } = await client.query<TableRow>(
    `select c.relname as name,
       json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
         filter (where a.attname <> 'workspace_id') as columns,
       (select array_agg(k.attname::text order by array_position(i.indkey::int2[], k.attnum))
          from pg_index i join pg_attribute k on k.attrelid = c.oid and k.attnum = any (i.indkey)
          where i.indrelid = c.oid and i.indisprimary and k.attname <> 'workspace_id') as key
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and c.relname = any ($1)
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     group by c.oid, c.relname order by c.relname`,
    [names],
  );
  return sortByDependency(
    rows.map((row) => ({ ...row, key: row.key ?? [] })),
    await loadReferences(client, names),
  );
}

async function loadReferences(client: pg.Client, names: string[]): Promise<TableReference[]> {
  const { rows } = await client.query<TableReference>(
    `select c.relname as child, p.relname as parent, array_agg(a.attname::text) as columns,
       bool_and(a.attnotnull) as required
     from pg_constraint r join pg_class c on c.oid = r.conrelid join pg_class p on p.oid = r.confrelid
       join pg_attribute a on a.attrelid = c.oid and a.attnum = any (r.conkey) and a.attname <> 'workspace_id'
     where r.contype = 'f' and r.connamespace = current_schema()::regnamespace and r.conparentid = 0
       and c.relname = any ($1) and p.relname = any ($1)
     group by r.oid, c.relname, p.relname order by c.relname, p.relname`,
    [names],
  );
  return rows;
}

/**
 * Sorts tables so that each one follows the tables that it requires. Ties go to the table with the fewest unresolved
 * optional references.
 */
function sortByDependency(tables: TableRow[], all: TableReference[]): ArchivedTable[] {
  const sortedTables = new Map<string, ArchivedTable>();
  let remainingRows = tables;
  while (remainingRows.length > 0) {
    const isWaitingFor = ({ name }: TableRow, isRequired: boolean) =>
      all.filter(
        (item) =>
          item.child === name &&
          item.parent !== name &&
          !sortedTables.has(item.parent) &&
          (item.required || !isRequired),
      );
    const independentTables = remainingRows.filter((table) => isWaitingFor(table, true).length === 0);
    const [next] = independentTables.toSorted(
      (a, b) => isWaitingFor(a, false).length - isWaitingFor(b, false).length,
    );
    if (!next)
      throw new Error(
        `required references form a cycle: ${remainingRows.map(({ name }) => name).join(', ')}`,
      );
    const selfLinks = all.filter(({ child, parent }) => child === next.name && parent === next.name);
    const later = [
      ...isWaitingFor(next, false).flatMap(({ columns }) =>
        columns.map((column) => ({ column, isOwn: false })),
      ),
      ...selfLinks
        .filter(({ required }) => !required)
        .flatMap(({ columns }) => columns.map((column) => ({ column, isOwn: true }))),
    ];
    sortedTables.set(next.name, { ...next, later });
    remainingRows = remainingRows.filter((table) => table !== next);
  }
  return [...sortedTables.values()];
}
