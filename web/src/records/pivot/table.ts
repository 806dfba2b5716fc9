import type { Described } from '../model.ts';
import {
  type Dimension,
  type DimensionValue,
  dimensionValue,
  groupInput,
  keySelection,
} from './dimension.ts';
import { type Figure, figureIn, figureSelection, type GroupFigures } from './figures.ts';

/** What a pivot is made of. */
export interface PivotShape {
  rows: Dimension[];
  across: Dimension | null;
  figures: Figure[];
}

/** Groups of one answer of the server; where there are more, the table says that it is not whole. */
export const MOST_GROUPS = 500;

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
export const TOTAL = '\u0000total';

/**
 * Asks for every level down to `depth`, with and without columns. An average is no average of averages: each level and
 * each total is a question of its own. Pure.
 */
export function pivotDocument({ groupField, typeName }: Described, shape: PivotShape, depth: number): string {
  const figures = figureSelection(shape.figures);
  const level = (alias: string, dimensions: Dimension[]) => {
    const keys = dimensions.map((dimension, at) => keySelection(dimension, `k${at}`)).join(' ');
    return (
      `${alias}: ${groupField}(groupBy: $${alias}, where: $where, withArchived: $withArchived, ` +
      `first: ${MOST_GROUPS}) { ${figures}${keys && ` key { ${keys} }`} }`
    );
  };
  const levels = levelsOf(shape, depth);
  const variables = levels.map(({ alias }) => `$${alias}: [${typeName}GroupBy!]!`).join(', ');
  return (
    `query Pivot($where: ${typeName}Where, $withArchived: Boolean, ${variables}) { ` +
    `${levels.map(({ alias, dimensions }) => level(alias, dimensions)).join(' ')} }`
  );
}

/** What each level is grouped by, for the document. Pure. */
export const pivotVariables = (shape: PivotShape, depth: number): Record<string, object[]> =>
  Object.fromEntries(
    levelsOf(shape, depth).map(({ alias, dimensions }) => [alias, dimensions.map(groupInput)]),
  );

interface Level {
  alias: string;
  dimensions: Dimension[];
}

function levelsOf({ rows, across }: PivotShape, depth: number): Level[] {
  return Array.from({ length: Math.min(depth, rows.length) + 1 }, (_, at) => rows.slice(0, at)).flatMap(
    (dimensions, at): Level[] => [
      { alias: `r${at}`, dimensions },
      ...(across ? [{ alias: `x${at}`, dimensions: [...dimensions, across] }] : []),
    ],
  );
}

/** Groups by the alias of their level. */
export type PivotAnswer = Record<string, (GroupFigures & { key?: Record<string, unknown> })[]>;

/** The table of an answer. Pure. */
export function pivotTable(model: Described, shape: PivotShape, answer: PivotAnswer): PivotTable {
  const { rows: dimensions, across, figures } = shape;
  const figuresIn = (group: GroupFigures) => figures.map((figure) => figureIn(figure, group));
  const columns = (across ? (answer.x0 ?? []) : []).map((group) =>
    dimensionValue(model, across!, group.key!.k0),
  );
  const totals: PivotRow['cells'] = new Map();
  const known = new Map<string, PivotRow>();
  const rows: PivotRow[] = [];
  const cellsAt = (path: string) => (path === '' ? totals : known.get(path)?.cells);
  for (let depth = 0; depth <= dimensions.length; depth++) {
    const pathOf = (key: Record<string, unknown> | undefined, length: number) =>
      dimensions
        .slice(0, length)
        .map((dimension, at) => `${dimensionValue(model, dimension, key![`k${at}`]).id}\u001f`)
        .join('');
    for (const group of answer[`r${depth}`] ?? []) {
      const path = pathOf(group.key, depth);
      if (depth > 0) {
        const around = known.get(pathOf(group.key, depth - 1));
        const value = dimensionValue(model, dimensions[depth - 1]!, group.key![`k${depth - 1}`]);
        const facets = [...(around?.facets ?? []), ...value.facets];
        const row: PivotRow = { path, depth, value, facets, cells: new Map(), rows: [] };
        known.set(path, row);
        (depth === 1 ? rows : around?.rows)?.push(row);
      }
      cellsAt(path)?.set(TOTAL, figuresIn(group));
    }
    for (const group of across ? (answer[`x${depth}`] ?? []) : [])
      cellsAt(pathOf(group.key, depth))?.set(
        dimensionValue(model, across!, group.key![`k${depth}`]).id,
        figuresIn(group),
      );
  }
  const isWhole = Object.values(answer).every((groups) => groups.length < MOST_GROUPS);
  return { columns, rows, totals, isWhole };
}

/** Rows in the order of a figure of a column, at every level; what has none comes last. Pure. */
export function sortedRows(
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
    .map((row) => ({ ...row, rows: sortedRows(row.rows, column, figure, isDescending) }));
}

/** Rows that are shown: those within others where these are open. Pure. */
export const shownRows = (rows: PivotRow[], open: ReadonlySet<string>): PivotRow[] =>
  rows.flatMap((row) => [row, ...(open.has(row.path) ? shownRows(row.rows, open) : [])]);

/** A line of a CSV file. What a spreadsheet would run as a formula begins with an apostrophe. Pure. */
export const csvLine = (cells: (string | number | null)[]): string =>
  cells
    .map((cell) => {
      if (typeof cell !== 'string') return cell === null ? '' : String(cell);
      const text = /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
      return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    })
    .join(',');
