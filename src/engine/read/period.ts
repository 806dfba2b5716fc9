import { createCache } from '../../cache.ts';
import { getWeekStart, hasIsoWeeks, toLocale } from '../value/locale.ts';
import type { Period } from './group-spec.ts';

/**
 * Formats a period's label, such as `September 2026` or `W36 2026`.
 * @param start local start of the period, `YYYY-MM-DD HH:MM:SS`
 */
export function formatPeriod(period: Period, start: string, lang: string): string {
  const date = new Date(
    `${start
      .slice(0, 19)
      .replace(' ', 'T')
      .padEnd(19, 'T00:00:00'.slice(start.length - 19))}Z`,
  );
  const locale = toLocale(lang);
  const formatDatePart = (options: Intl.DateTimeFormatOptions): string =>
    getFormat(locale, options).format(date);
  const day = () => start.slice(8, 10);
  switch (period) {
    case 'hour':
      return `${start.slice(11, 16)} ${day()} ${formatDatePart({ month: 'short' })}`;
    case 'day':
      return `${day()} ${formatDatePart({ month: 'short' })} ${start.slice(0, 4)}`;
    case 'week':
      return formatWeek(date, lang);
    case 'month':
      return formatDatePart({ month: 'long', year: 'numeric' });
    case 'quarter':
      return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${start.slice(0, 4)}`;
    case 'year':
      return start.slice(0, 4);
  }
}

// Creating a formatter takes longer than using it a hundred times. Each language in use needs two.
const formats = createCache<string, Intl.DateTimeFormat>({ entries: 400 });

/** Periods are Gregorian. Labels in Persian or Thai would otherwise name months and years of other calendars. */
const GREGORIAN = { calendar: 'gregory', numberingSystem: 'latn', timeZone: 'UTC' } as const;

function getFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  return formats.getOrCreate(key, () => new Intl.DateTimeFormat(locale, { ...GREGORIAN, ...options }));
}

const DAY_MS = 86_400_000;

/** Formats a label such as `W1 2026`. The language determines how weeks are numbered. */
function formatWeek(start: Date, lang: string): string {
  const { year, week } = hasIsoWeeks(lang) ? getIsoWeek(start) : getCalendarWeek(start, getWeekStart(lang));
  return `W${week} ${year}`;
}

/** ISO 8601: weeks start on Monday, and the first week of a year contains the year's first Thursday. */
function getIsoWeek(day: Date): { year: number; week: number } {
  const thursday = new Date(day.getTime() + (3 - ((day.getUTCDay() + 6) % 7)) * DAY_MS);
  const year = thursday.getUTCFullYear();
  return { year, week: countWeeks(Date.UTC(year, 0, 1), thursday) };
}

/** The first week of a year contains January 1 (Odoo 19). */
function getCalendarWeek(start: Date, weekStart: number): { year: number; week: number } {
  const year = start.getUTCFullYear();
  const isNext = start.getTime() >= getFirstWeek(year + 1, weekStart);
  return isNext
    ? { year: year + 1, week: 1 }
    : { year, week: countWeeks(getFirstWeek(year, weekStart), start) };
}

const countWeeks = (first: number, date: Date): number =>
  Math.floor((date.getTime() - first) / DAY_MS / 7) + 1;

/** Returns the start of the week that contains January 1. */
function getFirstWeek(year: number, weekStart: number): number {
  const newYear = new Date(Date.UTC(year, 0, 1));
  return newYear.getTime() - ((newYear.getUTCDay() - weekStart + 7) % 7) * DAY_MS;
}
