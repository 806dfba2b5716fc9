import './pivot.css';
import { Suspense, useMemo, useState } from 'react';
import { lazy } from '../../connection/lazy.ts';
import { formatNumber } from '../../i18n/format.ts';
import { LoadStatus } from '../../shell/loading.tsx';
import { useLiveQuery } from '../../shell/use-graphql-query.ts';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/download.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type RecordListProps, toRecordsVariables } from '../address.ts';
import { toCsvLines } from '../export/csv-lines.ts';
import type { ModelDescription } from '../model.ts';
import { viewStrings } from '../view-strings.ts';
import { getDefaultRows, parseDimension } from './dimension.ts';
import { findMeasures } from './measures.ts';
import { PivotControls } from './pivot-controls.tsx';
import { getColumnLabel, getMeasureLabel, PivotGrid } from './pivot-grid.tsx';
import {
  buildPivotQuery,
  buildPivotTable,
  buildPivotVariables,
  getVisibleRows,
  MAX_GROUPS,
  type PivotResult,
  type PivotRow,
  type PivotShape,
  type PivotTable,
  sortRows,
  TOTAL_COLUMN,
} from './table.ts';

const Chart = lazy(() => import('../../ui/chart.tsx'), 'Chart');

export function PivotView(props: RecordListProps) {
  const shape = buildShape(props);
  return shape.rows.length > 0 ? (
    <Pivot key={buildShapeKey(shape)} {...props} shape={shape} />
  ) : (
    <EmptyState title={viewStrings.noPivot} text={viewStrings.noPivotText} />
  );
}

/** Builds a React key that remounts the table when its configuration changes, so that earlier results are discarded. */
const buildShapeKey = ({ rows, across, figures }: PivotShape): string =>
  [...rows, across, ...figures].map((figure) => figure?.key).join();

/** Parses the configuration from the URL, with defaults. */
function buildShape({ model, view }: Pick<RecordListProps, 'model' | 'view'>): PivotShape {
  const dimensions = (view.rows ?? []).flatMap((key) => parseDimension(model, key) ?? []);
  return {
    rows:
      dimensions.length > 0
        ? dimensions
        : getDefaultRows(model).flatMap((key) => parseDimension(model, key) ?? []),
    across: parseDimension(model, view.across),
    figures: findMeasures(model, view.figures),
  };
}

function Pivot({ model, view, show, shape }: RecordListProps & { shape: PivotShape }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [isDeep, setIsDeep] = useState(false);
  const { where, withArchived } = toRecordsVariables(model, view);
  // Nested rows are requested when the first row is expanded.
  const depth = isDeep ? shape.rows.length : 1;
  const { data, refusal, reload } = useLiveQuery<PivotResult, object>(
    buildPivotQuery(model, shape, depth),
    {
      where,
      withArchived,
      ...buildPivotVariables(shape, depth),
    },
    model.name,
  );
  const table = useMemo(
    () => data && sortTable(buildPivotTable(model, shape, data), shape, view.sort),
    [data, model, shape, view],
  );
  const toggle = (path: string) => {
    setIsDeep(true);
    setOpen((old) =>
      old.has(path) ? new Set([...old].filter((item) => item !== path)) : new Set([...old, path]),
    );
  };
  const all = table ? getPaths(table.rows) : [];
  const isOpen = isDeep && all.length > 0 && all.every((path) => open.has(path));
  const toggleAllRows = () => {
    setIsDeep(true);
    setOpen(new Set(isOpen ? [] : all));
  };
  const rows = table ? getVisibleRows(table.rows, open) : [];
  return (
    <section className="record-view" aria-label={viewStrings.pivot}>
      <PivotControls model={model} shape={shape} view={view} show={show} />
      {!table && <LoadStatus refusal={refusal} onAgain={reload} />}
      {table && (
        <div className="pivot-scroll">
          {!table.isWhole && <p role="status">{viewStrings.incomplete(formatNumber(MAX_GROUPS))}</p>}
          {view.chart !== 'none' && table.rows.length > 0 && (
            <PivotChart model={model} shape={shape} table={table} look={view.chart ?? 'bars'} />
          )}
          <PivotGrid {...{ model, view, show, shape, table, rows, open, toggle }} />
          <div className="buttons">
            {shape.rows.length > 1 && (
              <Button aria-expanded={isOpen} onClick={toggleAllRows} disabled={isDeep && all.length === 0}>
                {isOpen ? viewStrings.collapseAll : viewStrings.expandAll}
              </Button>
            )}
            <Button icon="file" onClick={() => saveFile(`${model.name}.csv`, buildCsv(shape, table, rows))}>
              {viewStrings.csv}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}

/** Returns the paths of all rows above the last level. Until a row is expanded, only the outer rows are loaded. */
const getPaths = (rows: PivotRow[]): string[] =>
  rows.flatMap((row) => [row.path, ...getPaths(row.rows.filter(({ rows: within }) => within.length > 0))]);

function sortTable(
  table: PivotTable,
  { figures }: PivotShape,
  sort: RecordListProps['view']['sort'],
): PivotTable {
  if (!sort) return table;
  const [column, key, direction] = sort;
  const figure = figures.findIndex((figure) => figure.key === key);
  return figure < 0
    ? table
    : { ...table, rows: sortRows(table.rows, column || TOTAL_COLUMN, figure, direction === 'desc') };
}

interface PivotChartProps {
  model: ModelDescription;
  shape: PivotShape;
  table: PivotTable;
  look: 'bars' | 'line';
}

/** Maximum number of columns shown as separate series. With more columns, the chart shows the total. */
const MAX_SERIES = 2;
/** Maximum number of rows in a chart. */
const MAX_CHART_ROWS = 40;

/** Shows the first measure of the outer rows, by column if there are few columns, or otherwise as a total. */
function PivotChart({ model, shape, table, look }: PivotChartProps) {
  const figure = getMeasureLabel(shape.figures[0]!);
  const { names, series } = useMemo(() => {
    const rows = table.rows.slice(0, MAX_CHART_ROWS);
    const columns = table.columns.length > 1 && table.columns.length <= MAX_SERIES ? table.columns : [null];
    return {
      names: rows.map(({ value }) => value.label || viewStrings.empty),
      series: columns.map((column) => ({
        label: column ? getColumnLabel(column) : figure,
        values: rows.map(({ cells }) => cells.get(column?.id ?? TOTAL_COLUMN)?.[0] ?? 0),
      })),
    };
  }, [table, figure]);
  const label = viewStrings.chartLabel(figure, shape.rows[0]!.field.label);
  return (
    <Suspense fallback={<div className="chart" />}>
      <Chart key={`${model.name} ${look}`} label={label} names={names} look={look} series={series} />
    </Suspense>
  );
}

function buildCsv(shape: PivotShape, table: PivotTable, rows: PivotRow[]): string {
  const columns = [...table.columns, null];
  const headers = columns.flatMap((column) =>
    shape.figures.map((figure) => `${getColumnLabel(column)}: ${getMeasureLabel(figure)}`),
  );
  const cells = (rowCells: PivotRow['cells']) =>
    columns.flatMap((column) =>
      shape.figures.map((_figure, index) => rowCells.get(column?.id ?? TOTAL_COLUMN)?.[index]),
    );
  const names = shape.rows.map(({ field }) => field.label);
  const getRowNames = ({ depth, value }: PivotRow) =>
    names.map((_name, index) => (index === depth - 1 ? value.label || viewStrings.empty : ''));
  return toCsvLines([
    [...names, ...headers],
    ...rows.map((row) => [...getRowNames(row), ...cells(row.cells)]),
    [viewStrings.total, ...names.slice(1).map(() => ''), ...cells(table.totals)],
  ]);
}
