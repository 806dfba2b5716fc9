import './pivot.css';
import { lazy, Suspense, useMemo, useState } from 'react';
import { useFresh } from '../../graphql/live.ts';
import { formatNumber } from '../../i18n/format.ts';
import { useAnswer } from '../../shell/answer.ts';
import { Failed } from '../../shell/screen.tsx';
import { shellWords } from '../../shell/words.ts';
import { Button } from '../../ui/button.tsx';
import { saveFile } from '../../ui/download.ts';
import { Empty } from '../../ui/empty.tsx';
import { type ListProps, recordsAsked } from '../address.ts';
import type { Described } from '../model.ts';
import { viewWords } from '../view-words.ts';
import { dimensionOf, usualRows } from './dimension.ts';
import { figuresNamed } from './figures.ts';
import { PivotControls } from './pivot-controls.tsx';
import { columnLabel, figureLabel, PivotGrid } from './pivot-grid.tsx';
import {
  csvLine,
  MOST_GROUPS,
  type PivotAnswer,
  type PivotRow,
  type PivotShape,
  type PivotTable,
  pivotDocument,
  pivotTable,
  pivotVariables,
  shownRows,
  sortedRows,
  TOTAL,
} from './table.ts';

const Chart = lazy(() => import('../../ui/chart.tsx').then((module) => ({ default: module.Chart })));

/** Records added up by the values of their fields. */
export function PivotView(props: ListProps) {
  const shape = shapeOf(props);
  return shape.rows.length > 0 ? (
    <Pivot key={keyOfShape(shape)} {...props} shape={shape} />
  ) : (
    <Empty title={viewWords.noPivot}>
      <p>{viewWords.noPivotText}</p>
    </Empty>
  );
}

/** What was answered for another shape is no answer for this one. Pure. */
const keyOfShape = ({ rows, across, figures }: PivotShape): string =>
  [...rows, across, ...figures].map((each) => each?.key).join();

/** What the address asks for, or what a pivot begins with. Pure. */
function shapeOf({ model, view }: Pick<ListProps, 'model' | 'view'>): PivotShape {
  const named = (view.rows ?? []).flatMap((key) => dimensionOf(model, key) ?? []);
  return {
    rows: named.length > 0 ? named : usualRows(model).flatMap((key) => dimensionOf(model, key) ?? []),
    across: dimensionOf(model, view.across),
    figures: figuresNamed(model, view.figures),
  };
}

function Pivot({ model, view, show, shape }: ListProps & { shape: PivotShape }) {
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  const [isDeep, setDeep] = useState(false);
  const { where, withArchived } = recordsAsked(model, view);
  // What is within the rows is asked for when the first of them is opened.
  const depth = isDeep ? shape.rows.length : 1;
  const { data, refusal, reload } = useAnswer<PivotAnswer, object>(pivotDocument(model, shape, depth), {
    where,
    withArchived,
    ...pivotVariables(shape, depth),
  });
  useFresh(model.name, reload);
  const table = useMemo(
    () => data && sorted(pivotTable(model, shape, data), shape, view.sort),
    [data, model, shape, view],
  );
  const toggle = (path: string) => {
    setDeep(true);
    setOpen((old) =>
      old.has(path) ? new Set([...old].filter((each) => each !== path)) : new Set([...old, path]),
    );
  };
  const all = table ? pathsOf(table.rows) : [];
  const isOpen = isDeep && all.length > 0 && all.every((path) => open.has(path));
  const rows = table ? shownRows(table.rows, open) : [];
  return (
    <section className="pivot" aria-label={viewWords.pivot}>
      <PivotControls model={model} shape={shape} view={view} show={show} />
      {refusal && <Failed refusal={refusal} onAgain={reload} />}
      {!table && !refusal && <p role="status">{shellWords.loading}</p>}
      {table && (
        <div className="pivot-scroll">
          {!table.isWhole && <p role="status">{viewWords.notWhole(formatNumber(MOST_GROUPS))}</p>}
          {view.chart !== 'none' && table.rows.length > 0 && (
            <PivotChart model={model} shape={shape} table={table} look={view.chart ?? 'bars'} />
          )}
          <PivotGrid {...{ model, view, show, shape, table, rows, open, toggle }} />
          <div className="buttons">
            {shape.rows.length > 1 && (
              <OpenAll isOpen={isOpen} paths={all} isDeep={isDeep} setDeep={setDeep} setOpen={setOpen} />
            )}
            <Button
              icon="file"
              onClick={() => saveFile(`${model.name}.csv`, csvOf(model, shape, table, rows))}
            >
              {viewWords.csv}
            </Button>
          </div>
        </div>
      )}
    </section>
  );
}

interface OpenAllProps {
  isOpen: boolean;
  /** Rows that have others within, as far as they are known. */
  paths: string[];
  isDeep: boolean;
  setDeep(isDeep: boolean): void;
  setOpen(open: ReadonlySet<string>): void;
}

function OpenAll({ isOpen, paths, isDeep, setDeep, setOpen }: OpenAllProps) {
  const go = () => {
    setDeep(true);
    setOpen(new Set(isOpen ? [] : paths));
  };
  return (
    <Button aria-expanded={isOpen} onClick={go} disabled={isDeep && paths.length === 0}>
      {isOpen ? viewWords.collapseAll : viewWords.expandAll}
    </Button>
  );
}

/** Rows that can be opened: all but those of the last level, which are not there while nothing is open. Pure. */
const pathsOf = (rows: PivotRow[]): string[] =>
  rows.flatMap((row) => [row.path, ...pathsOf(row.rows.filter(({ rows: within }) => within.length > 0))]);

function sorted(table: PivotTable, { figures }: PivotShape, sort: ListProps['view']['sort']): PivotTable {
  if (!sort) return table;
  const [column, key, way] = sort;
  const figure = figures.findIndex((each) => each.key === key);
  return figure < 0
    ? table
    : { ...table, rows: sortedRows(table.rows, column || TOTAL, figure, way === 'desc') };
}

interface PivotChartProps {
  model: Described;
  shape: PivotShape;
  table: PivotTable;
  look: 'bars' | 'line';
}

/** Columns that a chart shows beside each other: as many as it has colours. */
const SERIES = 2;
/** Rows of a chart. */
const BARS = 40;

/** The first figure of the outer rows: by columns where these are few, else their total. */
function PivotChart({ model, shape, table, look }: PivotChartProps) {
  const figure = figureLabel(shape.figures[0]!);
  const { names, series } = useMemo(() => {
    const rows = table.rows.slice(0, BARS);
    const columns = table.columns.length > 1 && table.columns.length <= SERIES ? table.columns : [null];
    return {
      names: rows.map(({ value }) => value.label || viewWords.empty),
      series: columns.map((column) => ({
        label: column ? columnLabel(column) : figure,
        values: rows.map(({ cells }) => cells.get(column?.id ?? TOTAL)?.[0] ?? 0),
      })),
    };
  }, [table, figure]);
  const label = viewWords.chartLabel(figure, shape.rows[0]!.field.label);
  return (
    <Suspense fallback={<div className="chart" />}>
      <Chart key={`${model.name} ${look}`} label={label} names={names} look={look} series={series} />
    </Suspense>
  );
}

/** What the table shows, as a file. Pure. */
function csvOf(_model: Described, shape: PivotShape, table: PivotTable, rows: PivotRow[]): string {
  const columns = [...table.columns, null];
  const heads = columns.flatMap((column) =>
    shape.figures.map((figure) => `${columnLabel(column)}: ${figureLabel(figure)}`),
  );
  const cells = (of: PivotRow['cells']) =>
    columns.flatMap((column) =>
      shape.figures.map((_figure, at) => of.get(column?.id ?? TOTAL)?.[at] ?? null),
    );
  const names = shape.rows.map(({ field }) => field.label);
  const namesOf = ({ depth, value }: PivotRow) =>
    names.map((_name, at) => (at === depth - 1 ? value.label || viewWords.empty : ''));
  return [
    csvLine([...names, ...heads]),
    ...rows.map((row) => csvLine([...namesOf(row), ...cells(row.cells)])),
    csvLine([viewWords.total, ...names.slice(1).map(() => ''), ...cells(table.totals)]),
    '',
  ].join('\r\n');
}
