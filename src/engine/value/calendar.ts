import { fromWall, toWall, written } from './instant.ts';

const DAY = 86_400_000;
const HOUR = 3_600_000;

/** Days in a row, and the instants (ISO 8601, UTC) at which they begin and the day behind them does. */
export interface CalendarSpan {
  firstDay: string;
  lastDay: string;
  startsAt: string;
  endsAt: string;
}

export interface Calendar {
  /** What a clock in the zone shows, with how far it is ahead of UTC: `2026-03-29T10:00:00+02:00`. */
  local: string;
  /** `+02:00`. */
  utcOffset: string;
  weekday: string;
  today: CalendarSpan;
  week: CalendarSpan;
  month: CalendarSpan;
}

/** What the calendar says at a time. @param weekStart the first day of a week: 1 is Monday, 7 is Sunday */
export function calendarAt(now: number, tz: string, weekStart: number): Calendar {
  const wall = toWall(now, tz);
  const today = Math.floor(wall / DAY) * DAY;
  const date = new Date(today);
  const sinceStart = (date.getUTCDay() + 7 - (weekStart % 7)) % 7;
  const monthStart = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1);
  const span = (from: number, until: number): CalendarSpan => ({
    firstDay: dayOf(from),
    lastDay: dayOf(until - DAY),
    startsAt: isoOf(beginOf(from, tz)),
    endsAt: isoOf(beginOf(until, tz)),
  });
  const utcOffset = offsetText(wall - now);
  return {
    local: `${written(wall).replace(' ', 'T')}${utcOffset}`,
    utcOffset,
    weekday: WEEKDAYS[date.getUTCDay()]!,
    today: span(today, today + DAY),
    week: span(today - sinceStart * DAY, today + (7 - sinceStart) * DAY),
    month: span(monthStart, Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)),
  };
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const dayOf = (wall: number): string => written(wall).slice(0, 10);

const isoOf = (time: number): string => new Date(time).toISOString();

/** The first instant of a day, also where clocks skip midnight or show it two times. */
function beginOf(midnight: number, tz: string): number {
  const time = fromWall(midnight, tz);
  const missing = midnight - toWall(time, tz);
  if (missing > 0) return time + missing;
  return [HOUR, HOUR / 2].map((by) => time - by).find((before) => toWall(before, tz) === midnight) ?? time;
}

function offsetText(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${ms < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
