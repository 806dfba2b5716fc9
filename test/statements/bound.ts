import { collectLevels, findNodes, getColumnPath, type Level, type Node, type Table } from './tree.ts';

/** Returns the tables of a query level whose rows are not restricted to a single given workspace. */
export function findUnboundTables(level: Level, isTenantTable: (table: string) => boolean): string[] {
  const tables = level.tables.filter(({ name }) => isTenantTable(name));
  // Prisma reads several keys in one query, as `in ($1, $2)` or with `or`.
  const isRead = level.kind === 'SelectStmt' && !level.node.lockingClause;
  const looseTables = tables.filter((table) => !isBound(table, tables.length === 1, isRead));
  const faults = looseTables.map(
    ({ name, alias }) => `${alias === name ? name : `${name} ${alias}`} is not bound to one workspace`,
  );
  return [...faults, ...(level.kind === 'InsertStmt' ? findUnboundRows(level.node, isTenantTable) : [])];
}

/** @param allowsList true if rows of several given workspaces are allowed */
const isBound = ({ alias, conditions }: Table, alone: boolean, allowsList: boolean): boolean =>
  conditions.flatMap(getConjuncts).some((condition) => {
    const choices = allowsList ? getAlternatives(condition) : [];
    if (choices.length > 1)
      return choices.every((choice) => isBound({ name: '', alias, conditions: [choice] }, alone, allowsList));
    const [left, ...right] = parseEquation(condition, allowsList);
    if (!left) return false;
    return right.every((other) =>
      pairSides(left, other).some(
        ([one, two]) =>
          (isWorkspaceColumn(one, alias, alone) && isParameter(two)) ||
          (isWorkspaceColumn(two, alias, alone) && isParameter(one)),
      ),
    );
  });

function getAlternatives(condition: Node): Node[] {
  const all = condition.BoolExpr as { boolop: string; args: Node[] } | undefined;
  return all?.boolop === 'OR_EXPR' ? all.args : [];
}

function getConjuncts(condition: Node): Node[] {
  const all = condition.BoolExpr as { boolop: string; args: Node[] } | undefined;
  return all?.boolop === 'AND_EXPR' ? all.args.flatMap(getConjuncts) : [condition];
}

/**
 * Returns the two sides of an equation, or a value and its alternatives. Empty if it is neither, or if there are
 * several alternatives and `allowsList` is false.
 */
function parseEquation(condition: Node, allowsList: boolean): Node[] {
  const equation = condition.A_Expr as { kind: string; name: Node[]; lexpr: Node; rexpr: Node } | undefined;
  const [operator] = (equation?.name ?? []) as { String?: { sval: string } }[];
  if (!equation || operator?.String?.sval !== '=') return [];
  if (equation.kind === 'AEXPR_OP') return [equation.lexpr, equation.rexpr];
  const items =
    equation.kind === 'AEXPR_IN' ? ((equation.rexpr.List as Node | undefined)?.items as Node[]) : undefined;
  return items && (allowsList || items.length === 1) ? [equation.lexpr, ...items] : [];
}

function pairSides(left: Node, right: Node): [Node, Node][] {
  const [one, other] = [left, right].map((side) => (side.RowExpr as { args: Node[] } | undefined)?.args);
  return one && other ? one.map((value, i) => [value, other[i]!]) : [[left, right]];
}

function isWorkspaceColumn(value: Node, alias: string, alone: boolean): boolean {
  if (!value.ColumnRef) return false;
  const path = getColumnPath(value.ColumnRef as Node);
  return path.at(-1) === 'workspace_id' && (path.length === 1 ? alone : path.at(-2) === alias);
}

function isParameter(value: Node): boolean {
  const cast = value.TypeCast as { arg: Node } | undefined;
  return cast ? isParameter(cast.arg) : 'ParamRef' in value || 'A_Const' in value;
}

/**
 * New rows must name their workspace. Rows built from parameters may belong to several workspaces, which Citus routes.
 * Rows read from tables must belong to the given workspace.
 */
function findUnboundRows(insert: Node, isTenantTable: (table: string) => boolean): string[] {
  const { relname } = insert.relation as { relname: string };
  if (!isTenantTable(relname)) return [];
  const names = ((insert.cols as Node[] | undefined) ?? []).map(
    ({ ResTarget }) => (ResTarget as { name: string }).name,
  );
  const index = names.indexOf('workspace_id');
  if (index < 0) return [`new rows of ${relname} do not say their workspace`];
  const unboundRows = collectLevels({ from: insert.selectStmt }).flatMap(({ tables }) =>
    tables.filter(({ name }) => isTenantTable(name)),
  );
  // A table that is read is checked separately.
  const isRead = (value: Node) => unboundRows.some(({ alias }) => isWorkspaceColumn(value, alias, false));
  const isBoundValue = (value: Node = {}) => isParameter(value) || isRead(value);
  if (findWorkspaceParams(insert.selectStmt).size > 1)
    return [`new rows of ${relname} are selected by several parameters of one workspace`];
  return unboundRows.length === 0 || getRows(insert).every((row) => isBoundValue(row[index]))
    ? []
    : [`new rows of ${relname} are not bound to one workspace`];
}

/** Returns the values compared with `workspace_id`. Citus routes a join only if it is a single parameter. */
const findWorkspaceParams = (select: unknown): Set<string> =>
  new Set(
    findNodes({ select }, 'A_Expr')
      .map((expression) => parseEquation({ A_Expr: expression }, false))
      .flatMap(([left, right]) => (left && right ? pairSides(left, right) : []))
      .filter(
        ([left, right]) =>
          left.ColumnRef &&
          getColumnPath(left.ColumnRef as Node).at(-1) === 'workspace_id' &&
          isParameter(right),
      )
      .map(([, right]) => String(findNodes(right, 'ParamRef')[0]?.number ?? 'a constant')),
  );

function getRows(insert: Node): Node[][] {
  const listHalves = (select: Node): Node[] =>
    select.larg ? [...listHalves(select.larg as Node), ...listHalves(select.rarg as Node)] : [select];
  const select = (insert.selectStmt as { SelectStmt: Node } | undefined)?.SelectStmt;
  return (select ? listHalves(select) : []).flatMap((item) => {
    const rows = (item.valuesLists as Node[] | undefined)?.map(
      ({ List }) => (List as { items: Node[] }).items,
    );
    return (
      rows ?? [((item.targetList as Node[]) ?? []).map(({ ResTarget }) => (ResTarget as { val: Node }).val)]
    );
  });
}
