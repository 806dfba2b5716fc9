import {
  formatInstant,
  fromWallClock,
  getStartOfDay,
  isStorableTime,
  parseTimestamp,
  toWallClock,
} from './instant.ts';

export const MAX_DATE_TERMS = 20;

export interface ReaderTime {
  /** Current Unix time in milliseconds. */
  now: number;
  tz: string;
  /** 1 is Monday, 7 is Sunday. */
  weekStart(): number;
}

/** A resolved relative date: the day in the clock's time zone, and the instant in UTC. A whole day has no instant. */
export interface Moment {
  day: string;
  instant: string | null;
}

/** Intermediate result: an instant, or a day as its midnight in UTC. */
interface DateState {
  time: number;
  isDay: boolean;
}

/**
 * Parses a relative date such as `today`, `now`, `-1d`, `today -30d`, `=monday -60w`, `=1d +1m` or `=8H`: an optional
 * start (`now` by default), then terms. `+` and `-` add or subtract days, weeks, months or years (d w m y) or hours,
 * minutes or seconds (H M S). With a weekday, they select its next or previous occurrence, which may be the current
 * day. `=` sets a unit and resets all smaller units. Days, months and weekdays are in the clock's time zone. The rules
 * are Odoo's, except that dates always use this time zone.
 * @returns null for an invalid relative date, or a date outside the years 1 to 9999
 */
export function parseRelativeDate(text: string, clock: ReaderTime): Moment | null {
  const terms = text.trim().split(/\s+/, MAX_DATE_TERMS + 1);
  if (terms[0] === '' || terms.length > MAX_DATE_TERMS) return null;
  const hasStart = terms[0] === 'today' || terms[0] === 'now';
  let state: DateState | null = createState(clock, terms[0] === 'today');
  for (const term of hasStart ? terms.slice(1) : terms) {
    state = applyTerm(state, term, clock);
    if (!state || !isStorableTime(state.time)) return null;
  }
  return toMoment(state, clock.tz);
}

function createState({ now, tz }: ReaderTime, isDay: boolean): DateState {
  const second = Math.floor(now / 1000) * 1000;
  return isDay ? { time: toMidnight(toWallClock(second, tz)), isDay } : { time: second, isDay };
}

const toMoment = ({ time, isDay }: DateState, tz: string): Moment => ({
  day: formatInstant(isDay ? time : toWallClock(time, tz)).slice(0, 10),
  instant: isDay ? null : formatInstant(time),
});

const DAY_MS = 86_400_000;
const toMidnight = (wallTime: number): number => Math.floor(wallTime / DAY_MS) * DAY_MS;

const TERM_PATTERN = /^([+=-])(?:(\d{1,6})([dwmyHMS])|([a-z_]+))$/;
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const TIME_UNITS_MS: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1_000 };

function applyTerm(state: DateState, term: string, clock: ReaderTime): DateState | null {
  const [, sign, digits, unit, name] = TERM_PATTERN.exec(term) ?? [];
  if (!sign) return null;
  if (name)
    return changeWallTime(state, clock.tz, (wallTime) => toWeekday(wallTime, sign, name, clock.weekStart()));
  const amount = Number(digits);
  if (TIME_UNITS_MS[unit!]) return stepTime(state, sign, amount, unit!, clock.tz);
  return changeWallTime(state, clock.tz, (wallTime) =>
    sign === '='
      ? setDate(toMidnight(wallTime), amount, unit!)
      : moveDate(wallTime, sign === '+' ? amount : -amount, unit!),
  );
}

/** Changes the wall time, so that the time of day stays the same across clock changes. */
function changeWallTime(
  state: DateState,
  tz: string,
  change: (wallTime: number) => number | null,
): DateState | null {
  const wallTime = change(state.isDay ? state.time : toWallClock(state.time, tz));
  if (wallTime === null || !isStorableTime(wallTime)) return null;
  return { ...state, time: state.isDay ? wallTime : fromWallClock(wallTime, tz) };
}

function stepTime(
  state: DateState,
  sign: string,
  amount: number,
  unit: string,
  tz: string,
): DateState | null {
  const day = state.isDay ? getStartOfDay(formatInstant(state.time).slice(0, 10), tz) : null;
  const time = day === null ? state.time : parseTimestamp(day);
  if (sign !== '=')
    return { time: time + (sign === '+' ? 1 : -1) * amount * TIME_UNITS_MS[unit]!, isDay: false };
  if (amount > (unit === 'H' ? 23 : 59)) return null;
  const size = TIME_UNITS_MS[unit]!;
  const largerUnitMs = size * (unit === 'H' ? 24 : 60);
  return changeWallTime(
    { time, isDay: false },
    tz,
    (wallTime) => Math.floor(wallTime / largerUnitMs) * largerUnitMs + amount * size,
  );
}

/**
 * `=` selects the weekday in the current week, `+` its next occurrence and `-` its previous one. The current day counts
 * as an occurrence.
 */
function toWeekday(wallTime: number, sign: string, name: string, weekStart: number): number | null {
  const weekdayNumber = name === 'week_start' ? weekStart - 1 : WEEKDAYS.indexOf(name);
  if (weekdayNumber < 0) return null;
  const getDaysSinceStart = (weekday: number): number => (weekday - weekStart + 8) % 7;
  const today = (new Date(wallTime).getUTCDay() + 6) % 7;
  let days = getDaysSinceStart(weekdayNumber) - getDaysSinceStart(today);
  if (sign === '+' && days < 0) days += 7;
  if (sign === '-' && days > 0) days -= 7;
  return (sign === '=' ? toMidnight(wallTime) : wallTime) + days * DAY_MS;
}

function setDate(wallTime: number, amount: number, unit: string): number | null {
  const date = new Date(wallTime);
  if (unit === 'd') return amount < 1 || amount > 31 ? null : setMonthDay(wallTime, 0, amount);
  if (unit === 'm')
    return amount < 1 || amount > 12 ? null : setMonthDay(wallTime, amount - 1 - date.getUTCMonth());
  if (unit === 'y') return amount < 1 ? null : setMonthDay(wallTime, 12 * (amount - date.getUTCFullYear()));
  return null;
}

function moveDate(wallTime: number, amount: number, unit: string): number {
  if (unit === 'd' || unit === 'w') return wallTime + amount * DAY_MS * (unit === 'w' ? 7 : 1);
  return setMonthDay(wallTime, unit === 'm' ? amount : 12 * amount);
}

/** Returns the same day (or `day`) of the month `months` later, or the last day of a shorter month. */
function setMonthDay(wallTime: number, months: number, day = new Date(wallTime).getUTCDate()): number {
  const date = new Date(wallTime);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(date);
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  return date.setUTCDate(Math.min(day, last.getUTCDate()));
}
