import type { ModelDescription } from '../model.ts';
import {
  buildKeySelection,
  type Dimension,
  type DimensionValue,
  toDimensionValue,
  toGroupInput,
} from './dimension.ts';
import { buildMeasureSelection, type GroupMeasures, getMeasureValue, type Measure } from './measures.ts';

/** What a pivot is made of. */
export interface PivotShape {
  rows: Dimension[];
  across: Dimension | null;
  figures: Measure[];
}

/** Groups of one answer of the server; where there are more, the table says that it is not whole. */
export const MAX_GROUPS = 500;

/** A row, with those within it. */
export interface PivotRow {
  /** The ids of its value and of those around it. */
  path: string;
  depth: number;
  value: DimensionValue;
  /** Of this and of the rows around it. */
  facets: DimensionValue['facets'];
  /** Figures by column; that of no name is the total. */
  cells: Map<string, (number | null)[]>;
  rows: PivotRow[];
}

export interface PivotTable {
  columns: DimensionValue[];
  rows: PivotRow[];
  totals: PivotRow['cells'];
  isWhole: boolean;
}

/** The column of what is in no column. */
export const TOTAL_COLUMN = '\u0000total';

/**
 * Asks for every level down to `depth`, with and without columns. An average is no average of averages: each level and
 * each total is a question of its own. Pure.
 */
export function buildPivotQuery(
  { groupField, typeName }: ModelDescription,
  shape: PivotShape,
  depth: number,
): string {
  const figures = buildMeasureSelection(shape.figures);
  const level = (alias: string, dimensions: Dimension[]) => {
    const keys = dimensions.map((dimension, at) => buildKeySelection(dimension, `k${at}`)).join(' ');
    return (
      `${alias}: ${groupField}(groupBy: $${alias}, where: $where, withArchived: $withArchived, ` +
      `first: ${MAX_GROUPS}) { ${figures}${keys && ` key { ${keys} }`} }`
    );
  };
  const levels = listLevels(shape, depth);
  const variables = levels.map(({ alias }) => `$${alias}: [${typeName}GroupBy!]!`).join(', ');
  return (
    `query Pivot($where: ${typeName}Where, $withArchived: Boolean, ${variables}) { ` +
    `${levels.map(({ alias, dimensions }) => level(alias, dimensions)).join(' ')} }`
  );
}

/** What each level is grouped by, for the document. Pure. */
export const buildPivotVariables = (shape: PivotShape, depth: number): Record<string, object[]> =>
  Object.fromEntries(
    listLevels(shape, depth).map(({ alias, dimensions }) => [alias, dimensions.map(toGroupInput)]),
  );

interface Level {
  alias: string;
  dimensions: Dimension[];
}

function listLevels({ rows, across }: PivotShape, depth: number): Level[] {
  return Array.from({ length: Math.min(depth, rows.length) + 1 }, (_, at) => rows.slice(0, at)).flatMap(
    (dimensions, at): Level[] => [
      { alias: `r${at}`, dimensions },
      ...(across ? [{ alias: `x${at}`, dimensions: [...dimensions, across] }] : []),
    ],
  );
}

/** Groups by the alias of their level. */
export type PivotResult = Record<string, (GroupMeasures & { key?: Record<string, unknown> })[]>;

/** The table of an answer. Pure. */
export function buildPivotTable(model: ModelDescription, shape: PivotShape, result: PivotResult): PivotTable {
  const { rows: dimensions, across, figures } = shape;
  const getValues = (group: GroupMeasures) => figures.map((figure) => getMeasureValue(figure, group));
  const columns = (across ? (result.x0 ?? []) : []).map((group) =>
    toDimensionValue(model, across!, group.key!.k0),
  );
  const totals: PivotRow['cells'] = new Map();
  const known = new Map<string, PivotRow>();
  const rows: PivotRow[] = [];
  const getCells = (path: string) => (path === '' ? totals : known.get(path)?.cells);
  for (let depth = 0; depth <= dimensions.length; depth++) {
    const buildPath = (key: Record<string, unknown> | undefined, length: number) =>
      dimensions
        .slice(0, length)
        .map((dimension, at) => `${toDimensionValue(model, dimension, key![`k${at}`]).id}\u001f`)
        .join('');
    for (const group of result[`r${depth}`] ?? []) {
      const path = buildPath(group.key, depth);
      if (depth > 0) {
        const around = known.get(buildPath(group.key, depth - 1));
        const value = toDimensionValue(model, dimensions[depth - 1]!, group.key![`k${depth - 1}`]);
        const facets = [...(around?.facets ?? []), ...value.facets];
        const row: PivotRow = { path, depth, value, facets, cells: new Map(), rows: [] };
        known.set(path, row);
        (depth === 1 ? rows : around?.rows)?.push(row);
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

/** Rows in the order of a figure of a column, at every level; what has none comes last. Pure. */
export function sortRows(
  rows: PivotRow[],
  column: string,
  figure: number,
  isDescending: boolean,
): PivotRow[] {
  const read = ({ cells }: PivotRow) => cells.get(column)?.[figure] ?? null;
  const compare = (a: PivotRow, b: PivotRow) => {
    const [one, other] = [read(a), read(b)];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return isDescending ? other - one : one - other;
  };
  return rows
    .toSorted(compare)
    .map((row) => ({ ...row, rows: sortRows(row.rows, column, figure, isDescending) }));
}

/** Rows that are shown: those within others where these are open. Pure. */
export const getVisibleRows = (rows: PivotRow[], open: ReadonlySet<string>): PivotRow[] =>
  rows.flatMap((row) => [row, ...(open.has(row.path) ? getVisibleRows(row.rows, open) : [])]);

/** A line of a CSV file. What a spreadsheet would run as a formula begins with an apostrophe. Pure. */
export const formatCsvLine = (cells: (string | number | null)[]): string =>
  cells
    .map((cell) => {
      if (typeof cell !== 'string') return cell === null ? '' : String(cell);
      const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
      return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(',');
