/** A day as `2026-11-24`, in the zone of the browser. */
export type Day = string;

export const SPANS = ['month', 'week', 'day', 'agenda'] as const;
export type Span = (typeof SPANS)[number];

const two = (number: number): string => String(number).padStart(2, '0');

/** Pure. */
export const dayOf = (date: Date): Day =>
  `${String(date.getFullYear()).padStart(4, '0')}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;

/** Its first instant, which is not midnight everywhere on every day. Pure. */
export function startOf(day: Day): Date {
  const [year, month, date] = day.split('-').map(Number);
  return new Date(year!, month! - 1, date!);
}

/** Pure. */
export function daysLater(day: Day, count: number): Day {
  const date = startOf(day);
  return dayOf(new Date(date.getFullYear(), date.getMonth(), date.getDate() + count));
}

/** The same instant of the clock on another day, whatever happened to the clocks in between. Pure. */
export const atTimeOf = (day: Day, time: Date): Date => {
  const date = startOf(day);
  return new Date(
    date.getFullYear(),
    date.getMonth(),
    date.getDate(),
    time.getHours(),
    time.getMinutes(),
    time.getSeconds(),
  );
};

/** Whether somebody typed a day into the address. Pure. */
export const isDay = (given: unknown): given is Day =>
  typeof given === 'string' && /^\d{4}-\d\d-\d\d$/.test(given) && dayOf(startOf(given)) === given;

/** The day with which a week begins where the person is; 0 is Sunday. */
export function firstWeekday(locale = navigator.language): number {
  const found = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?(): { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  return (found.getWeekInfo?.() ?? found.weekInfo ?? { firstDay: 1 }).firstDay % 7;
}

/** The days that are shown: whole weeks of a month, a week, a day, or the days of a month. Pure. */
export function daysShown(span: Span, day: Day, firstDay: number): Day[] {
  if (span === 'day') return [day];
  const date = startOf(day);
  const first = span === 'week' ? date : new Date(date.getFullYear(), date.getMonth(), 1);
  const length = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate();
  if (span === 'agenda') return daysFrom(dayOf(first), length);
  const before = (first.getDay() - firstDay + 7) % 7;
  const count = span === 'week' ? 7 : Math.ceil((before + length) / 7) * 7;
  return daysFrom(daysLater(dayOf(first), -before), count);
}

const daysFrom = (first: Day, count: number): Day[] =>
  Array.from({ length: count }, (_, at) => daysLater(first, at));

/** The day around which the next or the previous span lies. Pure. */
export function spanLater(span: Span, day: Day, by: 1 | -1): Day {
  if (span === 'day') return daysLater(day, by);
  if (span === 'week') return daysLater(day, by * 7);
  const date = startOf(day);
  return dayOf(new Date(date.getFullYear(), date.getMonth() + by, 1));
}
