import { findStageField, getBoardFields } from './board-fields.ts';
import { type Day, isDay, SPANS, type Span } from './calendar/days.ts';
import { getDateFields } from './calendar/entries.ts';
import { isEditable } from './fields.ts';
import type { ModelDescription } from './model.ts';

const VIEW_KINDS = ['kanban', 'calendar', 'pivot'] as const;
export type ViewKind = (typeof VIEW_KINDS)[number];

/** Additional search parameters of views other than the list. */
export interface ViewParams {
  view?: ViewKind;
  date?: Day;
  span?: Span;
  on?: string;
  /** Fields of nested rows. Dates include a period, as in `createdAt.MONTH`. */
  rows?: string[];
  across?: string;
  /** Measures, such as `count` and `expectedRevenue.sum`. */
  figures?: string[];
  chart?: ChartLook;
  /** Sorts the rows by a measure in a column. An empty column means the total. */
  sort?: [column: string, figure: string, way: 'asc' | 'desc'];
}

export const CHARTS = ['bars', 'line', 'none'] as const;
type ChartLook = (typeof CHARTS)[number];

export const parseViewParams = (params: Record<string, unknown>): ViewParams => ({
  view: VIEW_KINDS.find((view) => view === params.view),
  date: isDay(params.date) ? params.date : undefined,
  span: SPANS.find((span) => span === params.span),
  on: parseText(params.on),
  rows: parseNames(params.rows, MAX_ROW_LEVELS),
  across: parseText(params.across),
  figures: parseNames(params.figures, MAX_MEASURES),
  chart: CHARTS.find((chart) => chart === params.chart),
  sort: parseSort(params.sort),
});

/** Maximum number of nested row fields, and maximum number of measures per cell. */
export const MAX_ROW_LEVELS = 3;
export const MAX_MEASURES = 6;

/** Parses text from a URL. The router parses a text of digits to a number. */
export const parseText = (value: unknown): string | undefined => {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
};

export function parseNames(value: unknown, max: number): string[] | undefined {
  const names = Array.isArray(value) ? value.slice(0, max).flatMap((item) => parseText(item) ?? []) : [];
  return names.length > 0 ? [...new Set(names)] : undefined;
}

function parseSort(value: unknown): ViewParams['sort'] {
  if (!Array.isArray(value)) return undefined;
  const [column, figure, way] = value as unknown[];
  if (typeof column !== 'string' || typeof figure !== 'string') return undefined;
  return [column, figure, way === 'asc' ? 'asc' : 'desc'];
}

/** Returns a model's views: a board if it has a stage, and a calendar if users enter its dates. */
export const getViewKinds = (model: ModelDescription): ViewKind[] =>
  VIEW_KINDS.filter((view) => {
    if (view === 'kanban') return findStageField(model) !== null && getBoardFields(model).length > 0;
    return view === 'calendar' ? getDateFields(model).some(isEditable) : model.groupField !== null;
  });
