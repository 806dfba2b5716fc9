import { formatInstant, fromWallClock, toWallClock } from './instant.ts';

const DAY_MS = 86_400_000;

/** A range of days. Its start and its exclusive end are also given as instants (ISO 8601, UTC). */
export interface CalendarSpan {
  firstDay: string;
  lastDay: string;
  startsAt: string;
  endsAt: string;
}

interface Calendar {
  /** Local time with UTC offset, such as `2026-03-29T10:00:00+02:00`. */
  local: string;
  /** UTC offset, such as `+02:00`. */
  utcOffset: string;
  weekday: string;
  today: CalendarSpan;
  week: CalendarSpan;
  month: CalendarSpan;
}

/** @param weekStart first day of the week: 1 is Monday, 7 is Sunday */
export function computeCalendar(now: number, tz: string, weekStart: number): Calendar {
  const wallTime = toWallClock(now, tz);
  const today = Math.floor(wallTime / DAY_MS) * DAY_MS;
  const date = new Date(today);
  const sinceStart = (date.getUTCDay() + 7 - (weekStart % 7)) % 7;
  const monthStart = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const buildSpan = (from: number, end: number): CalendarSpan => ({
    firstDay: formatDay(from),
    lastDay: formatDay(end - DAY_MS),
    startsAt: formatIso(fromWallClock(from, tz)),
    endsAt: formatIso(fromWallClock(end, tz)),
  });
  const utcOffset = formatOffset(wallTime - now);
  return {
    local: `${formatInstant(wallTime).replace(' ', 'T')}${utcOffset}`,
    utcOffset,
    weekday: WEEKDAYS[date.getUTCDay()]!,
    today: buildSpan(today, today + DAY_MS),
    week: buildSpan(today - sinceStart * DAY_MS, today + (7 - sinceStart) * DAY_MS),
    month: buildSpan(monthStart, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)),
  };
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const formatDay = (wallTime: number): string => formatInstant(wallTime).slice(0, 10);

const formatIso = (time: number): string => new Date(time).toISOString();

export function formatOffset(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  const padTwo = (value: number): string => String(value).padStart(2, '0');
  return `${ms < 0 ? '-' : '+'}${padTwo(Math.floor(minutes / 60))}:${padTwo(minutes % 60)}`;
}
