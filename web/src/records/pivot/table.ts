import type { ModelDescription } from '../model.ts';
import {
  buildKeySelection,
  type Dimension,
  type DimensionValue,
  toDimensionValue,
  toGroupInput,
} from './dimension.ts';
import { buildMeasureSelection, type GroupMeasures, getMeasureValue, type Measure } from './measures.ts';

export interface PivotShape {
  rows: Dimension[];
  across: Dimension | null;
  figures: Measure[];
}

/** Maximum number of groups per response. If there are more, the table shows that it is incomplete. */
export const MAX_GROUPS = 500;

export interface PivotRow {
  /** Value ids of the enclosing rows and of this row. */
  path: string;
  depth: number;
  value: DimensionValue;
  /** Filters of the enclosing rows and of this row. */
  facets: DimensionValue['facets'];
  /** Measures by column, including the row's total. */
  cells: Map<string, (number | null)[]>;
  rows: PivotRow[];
}

export interface PivotTable {
  columns: DimensionValue[];
  rows: PivotRow[];
  totals: PivotRow['cells'];
  isWhole: boolean;
}

export const TOTAL_COLUMN = '\u0000total';

/**
 * Builds a query for every level down to `depth`, with and without columns. Averages cannot be combined, so each level
 * and each total is a separate field.
 */
export function buildPivotQuery(
  { groupField, typeName }: ModelDescription,
  shape: PivotShape,
  depth: number,
): string {
  const figures = buildMeasureSelection(shape.figures);
  const buildLevel = (alias: string, dimensions: Dimension[]) => {
    const keys = dimensions.map((dimension, index) => buildKeySelection(dimension, `k${index}`)).join(' ');
    return (
      `${alias}: ${groupField}(groupBy: $${alias}, where: $where, withArchived: $withArchived, ` +
      `first: ${MAX_GROUPS}) { ${figures}${keys && ` key { ${keys} }`} }`
    );
  };
  const levels = listLevels(shape, depth);
  const variables = levels.map(({ alias }) => `$${alias}: [${typeName}GroupBy!]!`).join(', ');
  return (
    `query Pivot($where: ${typeName}Where, $withArchived: Boolean, ${variables}) { ` +
    `${levels.map(({ alias, dimensions }) => buildLevel(alias, dimensions)).join(' ')} }`
  );
}

export const buildPivotVariables = (shape: PivotShape, depth: number): Record<string, object[]> =>
  Object.fromEntries(
    listLevels(shape, depth).map(({ alias, dimensions }) => [alias, dimensions.map(toGroupInput)]),
  );

interface Level {
  alias: string;
  dimensions: Dimension[];
}

function listLevels({ rows, across }: PivotShape, depth: number): Level[] {
  return Array.from({ length: Math.min(depth, rows.length) + 1 }, (_, index) => rows.slice(0, index)).flatMap(
    (dimensions, index): Level[] => [
      { alias: `r${index}`, dimensions },
      ...(across ? [{ alias: `x${index}`, dimensions: [...dimensions, across] }] : []),
    ],
  );
}

export type PivotResult = Record<string, (GroupMeasures & { key?: Record<string, unknown> })[]>;

export function buildPivotTable(model: ModelDescription, shape: PivotShape, result: PivotResult): PivotTable {
  const { rows: dimensions, across, figures } = shape;
  const getValues = (group: GroupMeasures) => figures.map((figure) => getMeasureValue(figure, group));
  const columns = (across ? (result.x0 ?? []) : []).map((group) =>
    toDimensionValue(model, across!, group.key!.k0),
  );
  const totals: PivotRow['cells'] = new Map();
  const rowsByKey = new Map<string, PivotRow>();
  const rows: PivotRow[] = [];
  const getCells = (path: string) => (path === '' ? totals : rowsByKey.get(path)?.cells);
  for (let depth = 0; depth <= dimensions.length; depth++) {
    const buildPath = (key: Record<string, unknown> | undefined, length: number) =>
      dimensions
        .slice(0, length)
        .map((dimension, index) => `${toDimensionValue(model, dimension, key![`k${index}`]).id}\u001f`)
        .join('');
    for (const group of result[`r${depth}`] ?? []) {
      const path = buildPath(group.key, depth);
      if (depth > 0) {
        const aroundRow = rowsByKey.get(buildPath(group.key, depth - 1));
        const value = toDimensionValue(model, dimensions[depth - 1]!, group.key![`k${depth - 1}`]);
        const facets = [...(aroundRow?.facets ?? []), ...value.facets];
        const row: PivotRow = { path, depth, value, facets, cells: new Map(), rows: [] };
        rowsByKey.set(path, row);
        (depth === 1 ? rows : aroundRow?.rows)?.push(row);
      }
      getCells(path)?.set(TOTAL_COLUMN, getValues(group));
    }
    for (const group of across ? (result[`x${depth}`] ?? []) : [])
      getCells(buildPath(group.key, depth))?.set(
        toDimensionValue(model, across!, group.key![`k${depth}`]).id,
        getValues(group),
      );
  }
  const isWhole = Object.values(result).every((groups) => groups.length < MAX_GROUPS);
  return { columns, rows, totals, isWhole };
}

/** Sorts every level by a measure in a column. Rows without a value come last. */
export function sortRows(
  rows: PivotRow[],
  column: string,
  figure: number,
  isDescending: boolean,
): PivotRow[] {
  const getFigure = ({ cells }: PivotRow) => cells.get(column)?.[figure] ?? null;
  const compare = (a: PivotRow, b: PivotRow) => {
    const [one, other] = [getFigure(a), getFigure(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return isDescending ? other - one : one - other;
  };
  return rows
    .toSorted(compare)
    .map((row) => ({ ...row, rows: sortRows(row.rows, column, figure, isDescending) }));
}

/** Returns the visible rows. Nested rows are visible if their parent is expanded. */
export const getVisibleRows = (rows: PivotRow[], open: ReadonlySet<string>): PivotRow[] =>
  rows.flatMap((row) => [row, ...(open.has(row.path) ? getVisibleRows(row.rows, open) : [])]);
