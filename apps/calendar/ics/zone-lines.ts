import { toWallClock } from '../../../src/engine/value/instant.ts';
import { DAY } from '../wall.ts';
import { line } from './line.ts';

/** How far a zone is described around what is said in it. */
const YEARS = 366 * DAY;

/**
 * A time zone with every change of its clocks in a span, so that readers need no table of their own. Pure.
 * @param from milliseconds
 */
export function zoneLines(tz: string, from: number, until: number): string {
  const begin = from - YEARS;
  const changes = changesOf(tz, begin, Math.max(until, from) + YEARS);
  const parts = [{ at: begin, before: offset(tz, begin), after: offset(tz, begin) }, ...changes];
  const kinds = Map.groupBy(parts, ({ before, after }) => `${before} ${after}`);
  const blocks = [...kinds.values()].map((same) => blockOf(same, kinds.size > 1));
  return `BEGIN:VTIMEZONE\r\n${line('TZID', tz)}${blocks.join('')}END:VTIMEZONE\r\n`;
}

interface Change {
  at: number;
  /** Milliseconds ahead of UTC. */
  before: number;
  after: number;
}

const offset = (tz: string, at: number): number => toWallClock(at, tz) - at;

/** Looks in steps shorter than the time between two changes, and halves the span of each. */
function changesOf(tz: string, from: number, until: number): Change[] {
  const changes: Change[] = [];
  for (let at = from, before = offset(tz, from); at < until; at += STEP) {
    const after = offset(tz, at + STEP);
    if (after !== before) changes.push({ at: changeIn(tz, at, at + STEP), before, after });
    before = after;
  }
  return changes;
}

const STEP = 7 * DAY;

function changeIn(tz: string, from: number, until: number): number {
  const before = offset(tz, from);
  let [low, high] = [from, until];
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (offset(tz, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

function blockOf(same: readonly Change[], changes: boolean): string {
  const [first, ...more] = same as [Change, ...Change[]];
  const kind = changes && first.after > first.before ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${kind}\r\n`,
    line('DTSTART', stamp(first.at + first.before)),
    ...more.map(({ at, before }) => line('RDATE', stamp(at + before))),
    line('TZOFFSETFROM', ahead(first.before)),
    line('TZOFFSETTO', ahead(first.after)),
    `END:${kind}\r\n`,
  ].join('');
}

/** A time on a clock, `20260329T020000`. Pure. */
export const stamp = (wall: number): string => new Date(wall).toISOString().replace(/[-:]/g, '').slice(0, 15);

function ahead(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${ms < 0 ? '-' : '+'}${two(Math.floor(minutes / 60))}${two(minutes % 60)}`;
}
