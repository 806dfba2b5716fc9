import { language } from '../../i18n/language.ts';
import { addDays, type Day, getStartOfDay, type Span, toDayString } from './days.ts';
import type { CalendarEntry } from './entries.ts';

const monthFormat = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric' });
const fullDayFormat = new Intl.DateTimeFormat(language, {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});
const dateFormat = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short', year: 'numeric' });
const weekdayFormat = new Intl.DateTimeFormat(language, { weekday: 'short' });
const timeFormat = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' });

export function formatTitle(span: Span, days: Day[], date: Day): string {
  if (span === 'day') return fullDayFormat.format(getStartOfDay(date));
  if (span === 'week') return dateFormat.formatRange(getStartOfDay(days[0]!), getStartOfDay(days.at(-1)!));
  return monthFormat.format(getStartOfDay(date));
}

export const formatFullDay = (day: Day): string => fullDayFormat.format(getStartOfDay(day));

export const formatWeekday = (day: Day): string => weekdayFormat.format(getStartOfDay(day));

export const formatTime = (date: Date): string => timeFormat.format(date);

/** Formats the time of an entry, or its days for an all-day entry. */
export function formatPeriod({ start, end, isWhole }: CalendarEntry, wholeDay: string): string {
  if (isWhole) {
    const last = getStartOfDay(addDays(toDayString(end), -1));
    return `${dateFormat.formatRange(start, last)}, ${wholeDay}`;
  }
  const last = new Date(end.getTime() - 1);
  if (toDayString(start) === toDayString(last))
    return `${formatFullDay(toDayString(start))}, ${timeFormat.formatRange(start, end)}`;
  return `${dateFormat.format(start)} ${formatTime(start)} – ${dateFormat.format(end)} ${formatTime(end)}`;
}
