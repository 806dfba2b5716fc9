import { findNodes, getColumnPath, type Level, type Node } from './tree.ts';

/** Function volatility, as reported by PostgreSQL, and the timestamp columns. */
export interface Catalog {
  /** Functions whose result can change within or between statements with the same arguments. */
  volatile: ReadonlySet<string>;
  stable: ReadonlySet<string>;
  times: ReadonlySet<string>;
}

/**
 * Returns the functions in a write that a shard would have to evaluate. Citus evaluates row-independent expressions
 * once before it forwards the write. Expressions that depend on rows, are evaluated conditionally or are returned must
 * be immutable.
 */
export function findNonImmutableCalls(level: Level, catalog: Catalog): string[] {
  const { kind, node } = level;
  if (kind === 'SelectStmt') return [];
  const conflict = node.onConflictClause;
  // For selected rows, the result is built on the node that collects them.
  const response = isSelected(node) ? undefined : (node.returningClause ?? node.returningList);
  const values =
    kind === 'InsertStmt'
      ? getInsertedValues(node)
      : [node.targetList, node.whereClause, ...getFlattenedExpressions(node)];
  const findConditional = (value: unknown) => [
    ...findNodes(value, 'CaseExpr'),
    ...findNodes(value, 'CoalesceExpr'),
  ];
  return [
    ...findVolatileCalls(conflict, catalog).map((name) => `${name} in on conflict`),
    ...findVolatileCalls(response, catalog).map((name) => `${name} in returning`),
    ...values
      .flatMap(findConditional)
      .flatMap((value) => findVolatileCalls(value, catalog).map((name) => `${name} in case or coalesce`)),
    ...(kind === 'InsertStmt'
      ? findLostParameters(node)
      : values.flatMap((value) => findRowFunctions(value, catalog))),
    ...getFlatQueries(node)
      .filter((query) => query.fromClause)
      .flatMap((query) =>
        findVolatileCalls(query.targetList, catalog).map((name) => `${name} in a query of from`),
      ),
  ];
}

const isSelected = (write: Node): boolean => {
  const source = (write.selectStmt as { SelectStmt?: Node } | undefined)?.SelectStmt;
  return source !== undefined && !('valuesLists' in source);
};

const getInsertedValues = (insert: Node): unknown[] =>
  findNodes((insert.selectStmt as { SelectStmt?: Node } | undefined)?.SelectStmt?.valuesLists, 'List');

/** Returns constructs whose parameters Citus loses if the inserted rows are selected. */
const findLostParameters = (insert: Node): string[] =>
  findNodes(insert.onConflictClause, 'ParamRef').length > 0 &&
  ['RangeFunction', 'RangeVar'].some((kind) => findNodes(insert.selectStmt, kind).length > 0)
    ? ['a parameter in on conflict of insert … select']
    : [];

/** Returns the expressions of subqueries in `from` that PostgreSQL merges into a write. */
const getFlattenedExpressions = (write: Node): unknown[] =>
  getFlatQueries(write).flatMap((query) => [query.targetList, query.whereClause]);

const getFlatQueries = (write: Node): Node[] =>
  findNodes([write.fromClause, write.usingClause], 'RangeSubselect')
    .map(({ subquery }) => (subquery as { SelectStmt: Node }).SelectStmt)
    .filter((query) => !OPAQUE_CLAUSES.some((name) => name in query));

const OPAQUE_CLAUSES = [
  'groupClause',
  'havingClause',
  'distinctClause',
  'limitCount',
  'limitOffset',
  'lockingClause',
  'valuesLists',
];

const findVolatileCalls = (value: unknown, catalog: Catalog): string[] => [
  ...findCalls(value, catalog).map(({ name }) => name),
  ...findTimeCasts(value, catalog),
];

export function findRowFunctions(value: unknown, catalog: Catalog): string[] {
  const calls = findCalls(value, catalog);
  return [
    ...calls.filter(({ name }) => catalog.volatile.has(name)).map(({ name }) => `${name} in a write`),
    ...calls
      .filter(({ name, call }) => !catalog.volatile.has(name) && findNodes(call, 'ColumnRef').length > 0)
      .map(({ name }) => `${name} of a column in a write`),
    ...findTimeCasts(value, catalog).map((name) => `${name} in a write`),
    ...findTimeComparisons(value).map((name) => `${name} and a column in a write`),
  ];
}

function findCalls(value: unknown, { stable, volatile }: Catalog): { name: string; call: Node }[] {
  const calls = findNodes(value, 'FuncCall').map((call) => {
    const names = call.funcname as { String: { sval: string } }[];
    return { name: names.at(-1)!.String.sval, call };
  });
  // `current_timestamp` and similar keywords, which the parser does not treat as calls.
  const values = findNodes(value, 'SQLValueFunction').map((call) => ({
    name: (call.op as string).slice(6).toLowerCase(),
    call,
  }));
  const json = ['JsonObjectConstructor', 'JsonArrayConstructor'].flatMap((kind) =>
    findNodes(value, kind).map((call) => ({ name: kind, call })),
  );
  return [...calls.filter(({ name }) => stable.has(name) || volatile.has(name)), ...values, ...json];
}

/** Returns casts between times and text, which depend on session settings. */
const findTimeCasts = (value: unknown, { times }: Catalog): string[] =>
  findNodes(value, 'TypeCast').flatMap((cast) => {
    const column = (cast.arg as Node).ColumnRef as Node | undefined;
    const type = ((cast.typeName as Node).names as { String: { sval: string } }[]).at(-1)!.String.sval;
    const isTime = column && times.has(getColumnPath(column).at(-1)!);
    return isTime && ['text', 'timestamptz', 'json', 'jsonb'].includes(type)
      ? [`a time's cast to ${type}`]
      : [];
  });

/**
 * Returns comparisons of `now()`, which has a time zone, with columns, most of which have none. They use the session's
 * time zone unless there is a cast.
 */
const findTimeComparisons = (value: unknown): string[] =>
  findNodes(value, 'A_Expr').flatMap(({ lexpr, rexpr }) => {
    const zoned = [lexpr, rexpr].filter((side) => side && isCurrentTime(side as Node));
    const columns = [lexpr, rexpr].filter((side) => side && findNodes(side, 'ColumnRef').length > 0);
    return zoned.length === 1 && columns.length > 0 ? ['now() without a cast'] : [];
  });

function isCurrentTime(side: Node): boolean {
  const sum = side.A_Expr as { lexpr?: Node; rexpr?: Node } | undefined;
  if (sum) return [sum.lexpr, sum.rexpr].some((item) => item && isCurrentTime(item));
  const name = (
    (side.FuncCall as Node | undefined)?.funcname as { String: { sval: string } }[] | undefined
  )?.at(-1);
  return name?.String.sval === 'now' || 'SQLValueFunction' in side;
}
