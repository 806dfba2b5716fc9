/** A node of a statement as PostgreSQL parses it: one member, named by its kind, such as `{ ColumnRef: { … } }`. */
export type Node = { readonly [name: string]: unknown };

export interface Table {
  name: string;
  /** The name that columns of it are written with. */
  alias: string;
  /** What holds for each of its rows that the query sees, each in full. */
  conditions: Node[];
}

/** A part of a statement with tables of its own: a query, or a write. */
export interface Level {
  kind: 'SelectStmt' | 'UpdateStmt' | 'DeleteStmt' | 'InsertStmt' | 'MergeStmt';
  node: Node;
  /** Without what is the name of a `with` query. */
  tables: Table[];
}

const KINDS = ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt', 'MergeStmt'] as const;

/** All levels of a statement, from the outermost inwards. */
export function collectLevels(statement: Node): Level[] {
  const levels: Level[] = [];
  const walk = (value: unknown, named: ReadonlySet<string>): void => {
    if (Array.isArray(value)) for (const each of value) walk(each, named);
    if (!isNode(value)) return;
    const kind = KINDS.find((each) => each in value);
    const node = kind ? (value[kind] as Node) : value;
    const known = kind ? new Set([...named, ...getQueryNames(node)]) : named;
    if (kind) levels.push(buildLevel(kind, node, known));
    // The halves of a `union` are queries without the name of their kind.
    for (const [name, member] of Object.entries(node))
      walk(name === 'larg' || name === 'rarg' ? wrapQuery(member as Node, kind) : member, known);
  };
  walk(statement, new Set());
  return levels;
}

const wrapQuery = (half: Node, kind: string | undefined): Node => (kind ? { SelectStmt: half } : half);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function buildLevel(kind: Level['kind'], node: Node, named: ReadonlySet<string>): Level {
  const written = kind === 'InsertStmt' || kind === 'SelectStmt' ? [] : [{ RangeVar: node.relation }];
  const from = [node.fromClause, node.usingClause].flatMap((list) => (list as Node[] | undefined) ?? []);
  const tables = [...written, ...from].flatMap((item) => collectTables(item as Node));
  if (isNode(node.whereClause)) for (const table of tables) table.conditions.push(node.whereClause);
  return { kind, node, tables: tables.filter(({ name }) => !named.has(name)) };
}

/** The names of the `with` queries of a level. */
const getQueryNames = (node: Node): string[] => getWithQueries(node).map((query) => query.ctename as string);

/** The `with` queries of a level. */
export const getWithQueries = (node: Node): Node[] =>
  ((node.withClause as { ctes?: Node[] } | undefined)?.ctes ?? []).map(
    (each) => each.CommonTableExpr as Node,
  );

/** The tables of one item of a `from`. What an outer join says holds for the side that it may leave unset. */
function collectTables(item: Node): Table[] {
  const table = item.RangeVar as { relname: string; alias?: { aliasname: string } } | undefined;
  if (table) return [{ name: table.relname, alias: table.alias?.aliasname ?? table.relname, conditions: [] }];
  const join = item.JoinExpr as { jointype: string; larg: Node; rarg: Node; quals?: Node } | undefined;
  if (!join) return [];
  const [left, right] = [collectTables(join.larg), collectTables(join.rarg)];
  const { jointype, quals } = join;
  if (quals && ['JOIN_INNER', 'JOIN_RIGHT'].includes(jointype))
    for (const each of left) each.conditions.push(quals);
  if (quals && ['JOIN_INNER', 'JOIN_LEFT'].includes(jointype))
    for (const each of right) each.conditions.push(quals);
  return [...left, ...right];
}

/** All nodes of a kind within `value`, also those of queries within it. */
export function findNodes(value: unknown, kind: string): Node[] {
  if (Array.isArray(value)) return value.flatMap((each) => findNodes(each, kind));
  if (!isNode(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(name === kind && isNode(member) ? [member] : []),
    ...findNodes(member, kind),
  ]);
}

/** The names of a column, such as `['t', 'id']`; `*` for all of them. */
export const getColumnPath = (column: Node): string[] =>
  (column.fields as Node[]).map((field) => (field.String as { sval: string } | undefined)?.sval ?? '*');
