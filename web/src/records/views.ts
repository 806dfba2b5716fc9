import { createChoiceParser, parseText } from '../ui/input/search-params.ts';
import { findStageField, getBoardFields } from './board-fields.ts';
import { isDay, SPANS } from './calendar/days.ts';
import { getDateFields } from './calendar/entries.ts';
import { isEditable } from './fields.ts';
import type { ModelDescription } from './model.ts';

const VIEW_KINDS = ['kanban', 'calendar', 'pivot'] as const;
export type ViewKind = (typeof VIEW_KINDS)[number];

export const CHARTS = ['bars', 'line', 'none'] as const;

/** Parsers of the additional search parameters of views other than the list. */
export const VIEW_PARSERS = {
  view: createChoiceParser(VIEW_KINDS),
  date: (value: unknown) => (isDay(value) ? value : undefined),
  span: createChoiceParser(SPANS),
  on: parseText,
  /** Fields of nested rows. Dates include a period, as in `createdAt.MONTH`. */
  rows: (value: unknown) => parseNames(value, MAX_ROW_LEVELS),
  across: parseText,
  /** Measures, such as `count` and `expectedRevenue.sum`. */
  figures: (value: unknown) => parseNames(value, MAX_MEASURES),
  chart: createChoiceParser(CHARTS),
  sort: parseSort,
};

/** Maximum number of nested row fields, and maximum number of measures per cell. */
export const MAX_ROW_LEVELS = 3;
export const MAX_MEASURES = 6;

export function parseNames(value: unknown, max: number): string[] | undefined {
  const names = Array.isArray(value) ? value.slice(0, max).flatMap((item) => parseText(item) ?? []) : [];
  return names.length > 0 ? [...new Set(names)] : undefined;
}

/** Sorts the rows by a measure in a column. An empty column means the total. */
type RowSort = [column: string, figure: string, way: 'asc' | 'desc'];

function parseSort(value: unknown): RowSort | undefined {
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
