import { type SearchClock, subtractAge } from '../../../src/message/search/match.ts';
import type { SearchNode } from '../../../src/message/search/tree.ts';
import { toDayNumber } from '../messages/folder-counts.ts';

/** Range that contains all matches, in days since 1970. `before` is exclusive. Null means unbounded. */
interface SearchSpan {
  since: number | null;
  before: number | null;
}

/** @param lastDay last day of the range; null for no limit */
export function computeSpan(
  nodes: readonly SearchNode[],
  clock: SearchClock,
  lastDay: number | null = null,
): SearchSpan {
  const span: SearchSpan = { since: null, before: lastDay === null ? null : Math.min(lastDay + 1, MAX_DAY) };
  for (const node of nodes) {
    if (node.kind !== 'day' && node.kind !== 'age') continue;
    const moment =
      node.kind === 'day' ? clock.startOfDay(node.day) : subtractAge(clock.now, node.count, node.unit);
    const day = Math.min(MAX_DAY, Math.max(MIN_DAY, toDayNumber(moment)));
    if (node.side === 'from' || node.side === 'newer') span.since = Math.max(span.since ?? MIN_DAY, day);
    else span.before = Math.min(span.before ?? MAX_DAY, day + 1, MAX_DAY);
  }
  return span;
}

/** First and last day with a four-digit year. */
const MIN_DAY = toDayNumber(new Date('0001-01-01T00:00:00Z'));
const MAX_DAY = toDayNumber(new Date('9999-12-31T00:00:00Z'));
