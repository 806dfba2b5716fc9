import { loadModule, parseSync } from 'libpg-query';
import { findUnboundTables } from './bound.ts';
import { type Catalog, findNonImmutableCalls, findRowFunctions } from './functions.ts';
import { collectLevels, findNodes, getColumnPath, getWithQueries, type Level, type Node } from './tree.ts';

await loadModule();

export interface Schema extends Catalog {
  tenants: ReadonlySet<string>;
  /** Tables that exist only on the coordinator of a cluster. */
  locals: ReadonlySet<string>;
}

export interface Finding {
  refusals: string[];
  writes: boolean;
}

export function lint(text: string, schema: Schema): Finding {
  const statement = parse(text);
  // PostgreSQL rejects the statement as well.
  if (!statement) return { refusals: [], writes: false };
  const levels = collectLevels(statement);
  const isTenantTable = (name: string) => schema.tenants.has(name);
  const touchedLevels = levels.filter((level) => getTables(level).some(isTenantTable));
  const writes =
    touchedLevels.some(isWrite) ||
    (touchedLevels.length > 0 && findNodes(statement, 'LockingClause').length > 0);
  if (touchedLevels.length === 0) return { refusals: [], writes };
  const errors = [
    ...levels.flatMap((level) => findUnboundTables(level, isTenantTable)),
    ...touchedLevels.flatMap((level) => findNonImmutableCalls(level, schema)),
    ...findUnsupportedClauses(statement, levels),
    ...findBroadcasts(levels, isTenantTable),
    ...findLocalTables(levels, schema),
    ...(touchedLevels.some(isWrite) ? findUnsupportedWriteClauses(statement, levels, schema) : []),
  ];
  return { refusals: [...new Set(errors)], writes };
}

const isWrite = ({ kind }: Level): boolean => kind !== 'SelectStmt';

const getTables = ({ tables, kind, node }: Level): string[] => [
  ...tables.map(({ name }) => name),
  ...(kind === 'InsertStmt' ? [(node.relation as { relname: string }).relname] : []),
];

function parse(text: string): Node | undefined {
  try {
    return { stmts: parseSync(text).stmts };
  } catch {
    return undefined;
  }
}

/** Citus joins a coordinator's table with a distributed one by copying rows, and cannot change both in one statement. */
const findLocalTables = (levels: Level[], { locals }: Schema): string[] =>
  levels.flatMap(getTables).flatMap((name) => (locals.has(name) ? `${name} is only on the coordinator` : []));

/** Citus copies rows that an insert reads from a `with` query to all nodes, so it fails while any node is down. */
function findBroadcasts(levels: Level[], isTenantTable: (name: string) => boolean): string[] {
  const queryNames = new Set(
    levels.flatMap(({ node }) => getWithQueries(node)).map(({ ctename }) => ctename),
  );
  return levels
    .filter((level) => level.kind === 'InsertStmt' && getTables(level).some(isTenantTable))
    .flatMap(({ node }) => findNodes(node.selectStmt, 'RangeVar'))
    .flatMap(({ relname }) => (queryNames.has(relname) ? [`an insert reads the with query ${relname}`] : []));
}

function findUnsupportedClauses(statement: Node, levels: Level[]): string[] {
  const queries = levels.flatMap(({ node }) => getWithQueries(node));
  return [
    ...(queries.some((query) => query.cycle_clause) ? ['cycle'] : []),
    ...(findNodes(statement, 'ColumnRef').some((column) => getColumnPath(column).at(-1) === 'ctid')
      ? ['ctid']
      : []),
    ...(levels.some(({ kind }) => kind === 'MergeStmt') ? ['merge'] : []),
  ];
}

/** Citus deparses `case x when …` incorrectly, and cannot split a write with a recursive query. */
function findUnsupportedWriteClauses(statement: Node, levels: Level[], catalog: Catalog): string[] {
  const isRecursive = levels.some(
    ({ node }) => (node.withClause as { recursive?: boolean } | undefined)?.recursive,
  );
  return [
    ...(findNodes(statement, 'CaseExpr').some(({ arg }) => arg) ? ['case x when … in a write'] : []),
    ...(isRecursive ? findRowFunctions(statement, catalog) : []),
  ];
}
