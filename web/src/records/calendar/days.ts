/** A day such as `2026-11-24` in the browser's time zone. */
export type Day = string;

export const SPANS = ['month', 'week', 'day', 'agenda'] as const;
export type Span = (typeof SPANS)[number];

const padTwo = (number: number): string => String(number).padStart(2, '0');

export const toDayString = (date: Date): Day =>
  `${String(date.getFullYear()).padStart(4, '0')}-${padTwo(date.getMonth() + 1)}-${padTwo(date.getDate())}`;

/** Returns the start of a day, which is not always midnight because of daylight saving time. */
export function getStartOfDay(day: Day): Date {
  const [year, month, date] = day.split('-').map(Number);
  return new Date(year!, month! - 1, date!);
}

export function addDays(day: Day, count: number): Day {
  const date = getStartOfDay(day);
  return toDayString(new Date(date.getFullYear(), date.getMonth(), date.getDate() + count));
}

/** Returns the same wall-clock time on another day, regardless of daylight saving time. */
export const moveToDay = (day: Day, time: Date): Date => {
  const date = getStartOfDay(day);
  return new Date(
    date.getFullYear(),
    date.getMonth(),
    date.getDate(),
    time.getHours(),
    time.getMinutes(),
    time.getSeconds(),
  );
};

export const isDay = (value: unknown): value is Day =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && toDayString(getStartOfDay(value)) === value;

/** Returns the first day of the week in the user's locale. 0 is Sunday. */
export function getFirstWeekday(locale = navigator.language): number {
  const weekInfo = new Intl.Locale(locale) as Intl.Locale & {
    getWeekInfo?(): { firstDay: number };
    weekInfo?: { firstDay: number };
  };
  return (weekInfo.getWeekInfo?.() ?? weekInfo.weekInfo ?? { firstDay: 1 }).firstDay % 7;
}

/** Returns the days that a view shows. A month includes all days of its first and last week, but an agenda does not. */
export function getVisibleDays(span: Span, day: Day, firstDay: number): Day[] {
  if (span === 'day') return [day];
  const date = getStartOfDay(day);
  const first = span === 'week' ? date : new Date(date.getFullYear(), date.getMonth(), 1);
  const length = new Date(date.getFullYear(), date.getMonth() + 1, 0).getDate();
  if (span === 'agenda') return listDays(toDayString(first), length);
  const before = (first.getDay() - firstDay + 7) % 7;
  const count = span === 'week' ? 7 : Math.ceil((before + length) / 7) * 7;
  return listDays(addDays(toDayString(first), -before), count);
}

const listDays = (first: Day, count: number): Day[] =>
  Array.from({ length: count }, (_, index) => addDays(first, index));

export function shiftSpan(span: Span, day: Day, delta: 1 | -1): Day {
  if (span === 'day') return addDays(day, delta);
  if (span === 'week') return addDays(day, delta * 7);
  const date = getStartOfDay(day);
  return toDayString(new Date(date.getFullYear(), date.getMonth() + delta, 1));
}
