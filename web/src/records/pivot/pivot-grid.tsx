import { Link } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import type { Facet, RecordListProps } from '../address.ts';
import { viewStrings } from '../view-strings.ts';
import type { DimensionValue } from './dimension.ts';
import type { Measure } from './measures.ts';
import { type PivotRow, type PivotShape, type PivotTable, TOTAL_COLUMN } from './table.ts';

interface PivotGridProps extends RecordListProps {
  shape: PivotShape;
  table: PivotTable;
  rows: PivotRow[];
  open: ReadonlySet<string>;
  toggle(path: string): void;
}

export function getMeasureLabel({ field, how }: Measure): string {
  if (!field) return viewStrings.recordCount;
  return how === 'sum' ? viewStrings.fieldSum(field.label) : viewStrings.fieldAverage(field.label);
}

/** Null means the total. */
export const getColumnLabel = (column: DimensionValue | null): string =>
  column ? column.label || viewStrings.empty : viewStrings.total;

/** Shows a pivot table. Each figure links to a list of its records. */
export function PivotGrid(props: PivotGridProps) {
  const { shape, table, rows } = props;
  const columns = [...table.columns, null];
  const total = { label: viewStrings.total, facets: [], cells: table.totals };
  return (
    <div className="scroll-x">
      <table className="pivot-table">
        <thead>
          {shape.across && (
            <tr>
              <th scope="col">{shape.across.field.label}</th>
              {columns.map((column) => (
                <th key={column?.id ?? TOTAL_COLUMN} scope="colgroup" colSpan={shape.figures.length}>
                  {getColumnLabel(column)}
                </th>
              ))}
            </tr>
          )}
          <tr>
            <th scope="col">{shape.rows.map(({ field }) => field.label).join(' › ')}</th>
            {columns.flatMap((column) =>
              shape.figures.map((figure) => (
                <ColumnHeader
                  key={`${column?.id ?? TOTAL_COLUMN} ${figure.key}`}
                  {...props}
                  column={column}
                  figure={figure}
                />
              )),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.path}>
              <RowHeader {...props} row={row} />
              <ValueCells
                {...{ ...props, columns }}
                row={{ ...row, label: row.value.label || viewStrings.empty }}
              />
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{viewStrings.total}</th>
            <ValueCells {...{ ...props, columns }} row={total} />
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function ColumnHeader({
  column,
  figure,
  view,
  show,
}: PivotGridProps & { column: DimensionValue | null; figure: Measure }) {
  const name = column?.id ?? '';
  const [sortColumn, sortFigure, direction] = view.sort ?? [];
  const isSorted = view.sort !== undefined && sortColumn === name && sortFigure === figure.key;
  return (
    <th scope="col" aria-sort={isSorted ? (direction === 'asc' ? 'ascending' : 'descending') : undefined}>
      <button
        type="button"
        aria-label={viewStrings.sortBy(getMeasureLabel(figure), getColumnLabel(column))}
        onClick={() => show({ sort: [name, figure.key, isSorted && direction === 'desc' ? 'asc' : 'desc'] })}
      >
        {getMeasureLabel(figure)}
      </button>
    </th>
  );
}

function RowHeader({ row, shape, open, toggle }: PivotGridProps & { row: PivotRow }) {
  const label = row.value.label || viewStrings.empty;
  const isOpen = open.has(row.path);
  return (
    <th scope="row" style={{ '--depth': row.depth - 1 } as CSSProperties}>
      {row.depth < shape.rows.length ? (
        <button
          type="button"
          aria-expanded={isOpen}
          aria-label={isOpen ? viewStrings.collapse(label) : viewStrings.expand(label)}
          onClick={() => toggle(row.path)}
        >
          {label}
        </button>
      ) : (
        label
      )}
    </th>
  );
}

/** Rounds averages to two decimals. */
const formatCell = ({ how }: Measure, value: number): string =>
  formatNumber(how === 'avg' ? Math.round(value * 100) / 100 : value);

interface ValueCellsProps extends PivotGridProps {
  columns: (DimensionValue | null)[];
  row: { label: string; facets: Facet[]; cells: PivotRow['cells'] };
}

function ValueCells({ model, view, shape, columns, row }: ValueCellsProps) {
  return columns.flatMap((column) =>
    shape.figures.map((figure, index) => {
      const value = row.cells.get(column?.id ?? TOTAL_COLUMN)?.[index];
      const where = [...(view.where ?? []), ...row.facets, ...(column?.facets ?? [])];
      return (
        <td key={`${column?.id ?? TOTAL_COLUMN} ${figure.key}`}>
          {value === undefined || value === null ? (
            ''
          ) : (
            <Link
              to="/records/$model"
              params={{ model: model.name }}
              search={{ q: view.q, archived: view.archived, where: where.length > 0 ? where : undefined }}
              aria-label={`${viewStrings.cell(row.label, getColumnLabel(column))}: ${formatCell(figure, value)}`}
            >
              {formatCell(figure, value)}
            </Link>
          )}
        </td>
      );
    }),
  );
}
