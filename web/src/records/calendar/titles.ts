import { language } from '../../i18n/language.ts';
import { type Day, dayOf, daysLater, type Span, startOf } from './days.ts';
import type { CalendarEntry } from './entries.ts';

const monthYear = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' });
const fullDay = new Intl.DateTimeFormat(language, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const dayMonthYear = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' });
const weekday = new Intl.DateTimeFormat(language, { weekday: 'short' });
const clock = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' });

/** What the days that are shown are called. */
export function titleOf(span: Span, days: Day[], date: Day): string {
  if (span === 'day') return fullDay.format(startOf(date));
  if (span === 'week') return dayMonthYear.formatRange(startOf(days[0]!), startOf(days.at(-1)!));
  return monthYear.format(startOf(date));
}

export const fullDayOf = (day: Day): string => fullDay.format(startOf(day));

export const weekdayOf = (day: Day): string => weekday.format(startOf(day));

export const timeOf = (date: Date): string => clock.format(date);

/** When an entry is: its times of one day, or its days. */
export function whenOf({ start, end, isWhole }: CalendarEntry, wholeDay: string): string {
  if (isWhole) {
    const last = startOf(daysLater(dayOf(end), -1));
    return `${dayMonthYear.formatRange(start, last)}, ${wholeDay}`;
  }
  const last = new Date(end.getTime() - 1);
  if (dayOf(start) === dayOf(last)) return `${fullDayOf(dayOf(start))}, ${clock.formatRange(start, end)}`;
  return `${dayMonthYear.format(start)} ${timeOf(start)} – ${dayMonthYear.format(end)} ${timeOf(end)}`;
}
