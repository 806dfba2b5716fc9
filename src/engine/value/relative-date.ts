import { limits } from '../../limits.ts';
import { fromWall, isWritable, startOfDay, timeOf, toWall, written } from './instant.ts';

/** Time zone and current time that a date is relative to. */
export interface ReaderTime {
  /** The present, in milliseconds. */
  now: number;
  tz: string;
  /** The week's first day: 1 is Monday, 7 is Sunday. */
  weekStart(): number;
}

/** What a relative date says: the day in the zone of the clock, and the instant in UTC unless it names a whole day. */
export interface Moment {
  day: string;
  instant: string | null;
}

/** Before a term applies: an instant, or a day at its midnight in UTC. */
interface State {
  time: number;
  isDay: boolean;
}

/**
 * Reads `today`, `now`, `-1d`, `today -30d`, `=monday -60w`, `=1d +1m`, `=8H`: a start (`now` when there is none) and
 * terms. `+` and `-` move by days, weeks, months, years (d w m y) or hours, minutes, seconds (H M S), or to the next or
 * last such weekday, the day itself included; `=` sets a part and resets the time below it. Days, months and weekdays
 * are those of the clock's zone. Odoo's rules, except that a date always has the zone's own day.
 * @returns null for what is no relative date, or leaves the years 1 to 9999
 */
export function relativeDate(text: string, clock: ReaderTime): Moment | null {
  const terms = text.trim().split(/\s+/, limits.domain.dateTerms + 1);
  if (terms[0] === '' || terms.length > limits.domain.dateTerms) return null;
  const hasStart = terms[0] === 'today' || terms[0] === 'now';
  let state: State | null = startAt(clock, terms[0] === 'today');
  for (const term of hasStart ? terms.slice(1) : terms) {
    state = step(state, term, clock);
    if (!state || !isWritable(state.time)) return null;
  }
  return momentOf(state, clock.tz);
}

function startAt({ now, tz }: ReaderTime, isDay: boolean): State {
  const second = Math.floor(now / 1000) * 1000;
  return isDay ? { time: midnight(toWall(second, tz)), isDay } : { time: second, isDay };
}

const momentOf = ({ time, isDay }: State, tz: string): Moment => ({
  day: written(isDay ? time : toWall(time, tz)).slice(0, 10),
  instant: isDay ? null : written(time),
});

const DAY = 86_400_000;
const midnight = (wall: number): number => Math.floor(wall / DAY) * DAY;

const TERM = /^([+=-])(?:(\d{1,6})([dwmyHMS])|([a-z_]+))$/;
const WEEKDAYS = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
const TIMES: Record<string, number> = { H: 3_600_000, M: 60_000, S: 1_000 };

function step(state: State, term: string, clock: ReaderTime): State | null {
  const [, sign, digits, unit, name] = TERM.exec(term) ?? [];
  if (!sign) return null;
  if (name) return onWall(state, clock.tz, (wall) => toWeekday(wall, sign, name, clock.weekStart()));
  const amount = Number(digits);
  if (TIMES[unit!]) return stepTime(state, sign, amount, unit!, clock.tz);
  return onWall(state, clock.tz, (wall) =>
    sign === '='
      ? setDate(midnight(wall), amount, unit!)
      : moveDate(wall, sign === '+' ? amount : -amount, unit!),
  );
}

/** Days are counted by what the clock on the wall shows; so nothing happens to its time where clocks change. */
function onWall(state: State, tz: string, change: (wall: number) => number | null): State | null {
  const wall = change(state.isDay ? state.time : toWall(state.time, tz));
  if (wall === null || !isWritable(wall)) return null;
  return { ...state, time: state.isDay ? wall : fromWall(wall, tz) };
}

/** A day that is given a time becomes an instant. */
function stepTime(state: State, sign: string, amount: number, unit: string, tz: string): State | null {
  const day = state.isDay ? startOfDay(written(state.time).slice(0, 10), tz) : null;
  const time = day === null ? state.time : timeOf(day);
  if (sign !== '=') return { time: time + (sign === '+' ? 1 : -1) * amount * TIMES[unit]!, isDay: false };
  if (amount > (unit === 'H' ? 23 : 59)) return null;
  const size = TIMES[unit]!;
  const above = size * (unit === 'H' ? 24 : 60);
  return onWall({ time, isDay: false }, tz, (wall) => Math.floor(wall / above) * above + amount * size);
}

/** `=` is the day of this week; `+` the next, `-` the last, or the day itself. */
function toWeekday(wall: number, sign: string, name: string, weekStart: number): number | null {
  const wanted = name === 'week_start' ? weekStart - 1 : WEEKDAYS.indexOf(name);
  if (wanted < 0) return null;
  const sinceStart = (weekday: number): number => (weekday - weekStart + 8) % 7;
  const today = (new Date(wall).getUTCDay() + 6) % 7;
  let days = sinceStart(wanted) - sinceStart(today);
  if (sign === '+' && days < 0) days += 7;
  if (sign === '-' && days > 0) days -= 7;
  return (sign === '=' ? midnight(wall) : wall) + days * DAY;
}

function setDate(wall: number, amount: number, unit: string): number | null {
  const date = new Date(wall);
  if (unit === 'd') return amount < 1 || amount > 31 ? null : onDay(wall, 0, amount);
  if (unit === 'm') return amount < 1 || amount > 12 ? null : onDay(wall, amount - 1 - date.getUTCMonth());
  if (unit === 'y') return amount < 1 ? null : onDay(wall, 12 * (amount - date.getUTCFullYear()));
  return null;
}

function moveDate(wall: number, amount: number, unit: string): number {
  if (unit === 'd' || unit === 'w') return wall + amount * DAY * (unit === 'w' ? 7 : 1);
  return onDay(wall, unit === 'm' ? amount : 12 * amount);
}

/** The same day, or `day`, of a month that is `months` away; the month's last where it has no such day. */
function onDay(wall: number, months: number, day = new Date(wall).getUTCDate()): number {
  const date = new Date(wall);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(date);
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  return date.setUTCDate(Math.min(day, last.getUTCDate()));
}
