import { formatOffset } from '../../../src/engine/value/calendar.ts';
import { toWallClock } from '../../../src/engine/value/instant.ts';
import { DAY_MS } from '../wall-time.ts';
import { renderLine } from './line.ts';

const MARGIN_MS = 366 * DAY_MS;

/**
 * Renders a time zone with all its offset changes in a time range, so that clients need no time zone database.
 * @param from in milliseconds
 */
export function renderZone(tz: string, from: number, end: number): string {
  const begin = from - MARGIN_MS;
  const changes = findChanges(tz, begin, Math.max(end, from) + MARGIN_MS);
  const parts = [{ at: begin, before: getOffset(tz, begin), after: getOffset(tz, begin) }, ...changes];
  const kinds = Map.groupBy(parts, ({ before, after }) => `${before} ${after}`);
  const blocks = [...kinds.values()].map((changes) => renderBlock(changes, kinds.size > 1));
  return `BEGIN:VTIMEZONE\r\n${renderLine('TZID', tz)}${blocks.join('')}END:VTIMEZONE\r\n`;
}

interface OffsetChange {
  at: number;
  before: number;
  after: number;
}

const getOffset = (tz: string, index: number): number => toWallClock(index, tz) - index;

/**
 * Finds offset changes. Scans in steps shorter than the interval between two changes, and bisects each step that
 * contains one.
 */
function findChanges(tz: string, from: number, end: number): OffsetChange[] {
  const changes: OffsetChange[] = [];
  for (let start = from, before = getOffset(tz, from); start < end; start += STEP_MS) {
    const after = getOffset(tz, start + STEP_MS);
    if (after !== before) changes.push({ at: locateChange(tz, start, start + STEP_MS), before, after });
    before = after;
  }
  return changes;
}

const STEP_MS = 7 * DAY_MS;

function locateChange(tz: string, from: number, end: number): number {
  const before = getOffset(tz, from);
  let [low, high] = [from, end];
  while (high - low > 1000) {
    const middle = Math.floor((low + high) / 2000) * 1000;
    if (getOffset(tz, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

function renderBlock(offsetChanges: readonly OffsetChange[], changes: boolean): string {
  const [first, ...rest] = offsetChanges as [OffsetChange, ...OffsetChange[]];
  const kind = changes && first.after > first.before ? 'DAYLIGHT' : 'STANDARD';
  return [
    `BEGIN:${kind}\r\n`,
    renderLine('DTSTART', formatStamp(first.at + first.before)),
    ...rest.map(({ at, before }) => renderLine('RDATE', formatStamp(at + before))),
    renderLine('TZOFFSETFROM', formatOffset(first.before).replace(':', '')),
    renderLine('TZOFFSETTO', formatOffset(first.after).replace(':', '')),
    `END:${kind}\r\n`,
  ].join('');
}

/** Formats a local time, such as `20260329T020000`. */
export const formatStamp = (wallTime: number): string =>
  new Date(wallTime).toISOString().replace(/[-:]/g, '').slice(0, 15);
