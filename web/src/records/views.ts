import { boardFields } from './board-fields.ts';
import { type Day, isDay, SPANS, type Span } from './calendar/days.ts';
import { datesOf } from './calendar/entries.ts';
import type { Described } from './model.ts';

/** Ways to look at records other than a list. */
export const VIEWS = ['kanban', 'calendar', 'pivot'] as const;
export type OtherView = (typeof VIEWS)[number];

/** What they show, as it stands in the address beside what a list shows. */
export interface OtherViews {
  view?: OtherView;
  /** A day that the calendar shows. */
  date?: Day;
  span?: Span;
  /** The field that the calendar goes by. */
  on?: string;
  /** Fields of the rows of a pivot, one within the other, those of dates with their period: `createdAt.MONTH`. */
  rows?: string[];
  across?: string;
  /** What is counted or added up, such as `count` and `expectedRevenue.sum`. */
  figures?: string[];
  chart?: ChartLook;
  /** The column whose figure the rows are in the order of; an empty one is the total. */
  sort?: [column: string, figure: string, way: 'asc' | 'desc'];
}

export const CHARTS = ['bars', 'line', 'none'] as const;
export type ChartLook = (typeof CHARTS)[number];

/** What somebody typed into the address is left out where it means nothing. Pure. */
export const otherViews = (given: Record<string, unknown>): OtherViews => ({
  view: VIEWS.find((view) => view === given.view),
  date: isDay(given.date) ? given.date : undefined,
  span: SPANS.find((span) => span === given.span),
  on: nameOf(given.on),
  rows: namesOf(given.rows, ROWS),
  across: nameOf(given.across),
  figures: namesOf(given.figures, FIGURES),
  chart: CHARTS.find((look) => look === given.chart),
  sort: sortOf(given.sort),
});

/** Fields that rows are grouped by, one within the other, and figures of a cell. */
export const ROWS = 3;
export const FIGURES = 6;

const nameOf = (given: unknown): string | undefined =>
  typeof given === 'string' && given !== '' ? given : undefined;

function namesOf(given: unknown, most: number): string[] | undefined {
  const names = Array.isArray(given) ? given.slice(0, most).flatMap((each) => nameOf(each) ?? []) : [];
  return names.length > 0 ? [...new Set(names)] : undefined;
}

function sortOf(given: unknown): OtherViews['sort'] {
  if (!Array.isArray(given)) return undefined;
  const [column, figure, way] = given as unknown[];
  if (typeof column !== 'string' || typeof figure !== 'string') return undefined;
  return [column, figure, way === 'asc' ? 'asc' : 'desc'];
}

/** The views that a model has. Pure. */
export const viewsOf = (model: Described): OtherView[] =>
  VIEWS.filter((view) => {
    if (view === 'kanban') return boardFields(model).length > 0;
    return view === 'calendar' ? datesOf(model, undefined) !== null : model.groupField !== null;
  });
