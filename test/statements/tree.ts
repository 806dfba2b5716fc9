/**
 * A node of PostgreSQL's parse tree: an object with a single member named after its type, such as `{ ColumnRef: { … }
 * }`.
 */
export type Node = { readonly [name: string]: unknown };

export interface Table {
  name: string;
  alias: string;
  /** Conditions that hold for every row of the table in the query. */
  conditions: Node[];
}

export interface Level {
  kind: 'SelectStmt' | 'UpdateStmt' | 'DeleteStmt' | 'InsertStmt' | 'MergeStmt';
  node: Node;
  /** Excludes references to `with` queries. */
  tables: Table[];
}

const KINDS = ['SelectStmt', 'UpdateStmt', 'DeleteStmt', 'InsertStmt', 'MergeStmt'] as const;

export function collectLevels(statement: Node): Level[] {
  const levels: Level[] = [];
  const walk = (value: unknown, outerNames: ReadonlySet<string>): void => {
    if (Array.isArray(value)) for (const item of value) walk(item, outerNames);
    if (!isNode(value)) return;
    const kind = KINDS.find((kind) => kind in value);
    const node = kind ? (value[kind] as Node) : value;
    const queryNames = kind ? new Set([...outerNames, ...getQueryNames(node)]) : outerNames;
    if (kind) levels.push(buildLevel(kind, node, queryNames));
    // The operands of a `union` are queries without a type name.
    for (const [name, member] of Object.entries(node))
      walk(name === 'larg' || name === 'rarg' ? wrapQuery(member as Node, kind) : member, queryNames);
  };
  walk(statement, new Set());
  return levels;
}

const wrapQuery = (half: Node, kind: string | undefined): Node => (kind ? { SelectStmt: half } : half);

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function buildLevel(kind: Level['kind'], node: Node, queryNames: ReadonlySet<string>): Level {
  const relations = kind === 'InsertStmt' || kind === 'SelectStmt' ? [] : [{ RangeVar: node.relation }];
  const from = [node.fromClause, node.usingClause].flatMap((list) => (list as Node[] | undefined) ?? []);
  const tables = [...relations, ...from].flatMap((item) => collectTables(item as Node));
  if (isNode(node.whereClause)) for (const table of tables) table.conditions.push(node.whereClause);
  return { kind, node, tables: tables.filter(({ name }) => !queryNames.has(name)) };
}

const getQueryNames = (node: Node): string[] => getWithQueries(node).map((query) => query.ctename as string);

export const getWithQueries = (node: Node): Node[] =>
  ((node.withClause as { ctes?: Node[] } | undefined)?.ctes ?? []).map((cte) => cte.CommonTableExpr as Node);

/** Returns the tables of a `from` item. The condition of an outer join applies only to its nullable side. */
function collectTables(item: Node): Table[] {
  const table = item.RangeVar as { relname: string; alias?: { aliasname: string } } | undefined;
  if (table) return [{ name: table.relname, alias: table.alias?.aliasname ?? table.relname, conditions: [] }];
  const join = item.JoinExpr as { jointype: string; larg: Node; rarg: Node; quals?: Node } | undefined;
  if (!join) return [];
  const [left, right] = [collectTables(join.larg), collectTables(join.rarg)];
  const { jointype, quals } = join;
  if (quals && ['JOIN_INNER', 'JOIN_RIGHT'].includes(jointype))
    for (const item of left) item.conditions.push(quals);
  if (quals && ['JOIN_INNER', 'JOIN_LEFT'].includes(jointype))
    for (const item of right) item.conditions.push(quals);
  return [...left, ...right];
}

export function findNodes(value: unknown, kind: string): Node[] {
  if (Array.isArray(value)) return value.flatMap((item) => findNodes(item, kind));
  if (!isNode(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    ...(name === kind && isNode(member) ? [member] : []),
    ...findNodes(member, kind),
  ]);
}

export const getColumnPath = (column: Node): string[] =>
  (column.fields as Node[]).map((field) => (field.String as { sval: string } | undefined)?.sval ?? '*');
