import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { buildDayKeys, buildMailboxKeys, countIndexedDays } from '../messages/index-keys.ts';

export interface SearchWindow {
  /** ISO 8601 time. Null for no lower bound. */
  from: string | null;
  /** Exclusive. Null for no upper bound. */
  until: string | null;
  /** Index keys. Every message in the window has at least one of them. */
  keys: string[];
  /** 0 if unknown. */
  messages: number;
  isDivisible: boolean;
}

export interface SearchTarget {
  accounts: readonly number[];
  /** Folders whose messages determine the window sizes. Null for all folders. */
  folders: readonly number[] | null;
  /** Folders whose messages match whenever they contain the search terms. Null if there are further conditions. */
  matching: readonly number[] | null;
  /** Range that contains all matches, in days since 1970. `before` is exclusive. Null means unbounded. */
  since: number | null;
  before: number | null;
  /** True if every message in a window is read, because no index finds the matches. */
  isWalk: boolean;
}

/** Number of messages in the first window, and in every window of a full scan. */
const FIRST_WINDOW_MESSAGES = 4_000;

/** Maximum number of candidates to expect in a later window. Lower than `MAX_EXAMINED_ROWS`, to leave a margin. */
const MAX_EXPECTED_CANDIDATES = 3_500;

/** If the first window has fewer candidates, the rest of the mailbox is searched in one step. */
const MAX_RARE_CANDIDATES = 12;

/** In the estimated match rate, the folder statistics weigh as much as this number of candidates. */
const PRIOR_CANDIDATES = 30;

/** Windows exceed their estimated size by this factor. */
const WINDOW_MARGIN = 1.15;

/** If a window covers more than half of the messages on the loaded days, the mailbox key is cheaper than day keys. */
const WHOLE_MAILBOX_RATIO = 2;

const WINDOW_DIVISOR = 8;

/** Number of message counts to read for the first window, and for all later windows together. */
const FIRST_COUNT_ROWS = 200;
const MAX_COUNT_ROWS = 4_500;

const DAY_MS = 86_400_000;

interface DayCount {
  day: number;
  n: number;
  /** Number of messages in the folders of `SearchTarget.matching`. */
  matching: number;
}

/** Message counts per day, newest first. */
interface DayList {
  days: DayCount[];
  isAll: boolean;
  /** Share of messages in the folders of `SearchTarget.matching`. Null if there are further conditions. */
  share: number | null;
}

interface WindowOutcome {
  candidates: number;
  matchCount: number;
  missing: number;
  /** True if the window had too many candidates and must be split. */
  isFull: boolean;
}

interface SearchWindows {
  /** @param before outcome of the previous window; null for the first window @returns null after the last window */
  next(before: WindowOutcome | null): Promise<SearchWindow | null>;
}

/**
 * Builds the windows. The first one contains the newest few thousand messages, and each later one contains as many as
 * should include the missing matches. A search for a common term therefore reads little data, and one for a rare term
 * needs two statements.
 */
export function createSearchWindows(ctx: Ctx, target: SearchTarget): SearchWindows {
  const { accounts, isWalk, since } = target;
  let { days, isAll, share }: DayList = { days: [], isAll: false, share: null };
  let requestedRows = 0;
  /** Start of the windows returned so far. */
  let upperBound = target.before;
  let last: { window: SearchWindow; days: DayCount[]; boundBefore: number | null } | null = null;
  let isOver = false;

  const load = async (rows: number) => {
    requestedRows = rows;
    ({ days, isAll, share } = await loadDaysBefore(ctx, target, upperBound, rows));
  };
  const emitWindow = (window: SearchWindow, days: DayCount[], boundAfter: number | null): SearchWindow => {
    last = { window, days, boundBefore: upperBound };
    upperBound = boundAfter;
    return window;
  };
  const rest = (takenDays: DayCount[], isDivisible: boolean): SearchWindow => {
    isOver = true;
    const messages = sumMessages(takenDays);
    const keys = buildMailboxKeys(ctx.workspace.id, accounts);
    const window = { from: toIso(since), until: toIso(upperBound), keys, messages, isDivisible };
    days = [];
    return emitWindow(window, takenDays, upperBound);
  };
  const takeWindow = (size: number): SearchWindow => {
    let count = countDays(days, size);
    if (count === 0 || (count === days.length && isAll)) return rest(days, count > 1);
    const isMost = sumMessages(days) < WHOLE_MAILBOX_RATIO * sumMessages(days.slice(0, count));
    if (!isWalk && !isMost) count = countIndexedDays(accounts.length, days.slice(0, count).map(getDay));
    const selectedCounts = days.slice(0, count);
    days = days.slice(count);
    const oldest = selectedCounts.at(-1)!.day;
    const keys = isWalk ? [] : buildDayKeys(ctx.workspace.id, accounts, selectedCounts.map(getDay));
    const [from, end] = [toIso(oldest), toIso(upperBound)];
    const window = { from, until: end, keys, messages: sumMessages(selectedCounts), isDivisible: count > 1 };
    return emitWindow(window, selectedCounts, oldest);
  };
  const divideWindow = async (): Promise<SearchWindow> => {
    const { window, days: takenCounts, boundBefore } = last!;
    isOver = false;
    upperBound = boundBefore;
    days = [...takenCounts, ...days];
    if (takenCounts.length === 0) await load(MAX_COUNT_ROWS);
    return takeWindow((window.messages || sumMessages(days)) / WINDOW_DIVISOR);
  };
  return {
    async next(before) {
      if (before?.isFull) return divideWindow();
      if (isOver) return null;
      if (!last) {
        await load(FIRST_COUNT_ROWS);
        if (days.length === 0 && !isAll) await load(MAX_COUNT_ROWS);
        return takeWindow(FIRST_WINDOW_MESSAGES);
      }
      if (!isWalk && requestedRows === FIRST_COUNT_ROWS && !isAll && before!.candidates < MAX_RARE_CANDIDATES)
        return rest([], true);
      const size = isWalk ? FIRST_WINDOW_MESSAGES : computeNextSize(last.window.messages, share, before!);
      if (!isAll && (days.length === 0 || (requestedRows === FIRST_COUNT_ROWS && sumMessages(days) < size)))
        await load(MAX_COUNT_ROWS);
      return takeWindow(size);
    },
  };
}

/**
 * Estimates how many messages to read to find the missing matches, based on the match rate of the last window. With
 * few matches, this rate is unreliable, so the folder statistics are included if the folder is the only condition.
 */
function computeNextSize(
  messages: number,
  share: number | null,
  { candidates, matchCount, missing }: WindowOutcome,
): number {
  const weight = share === null ? 0 : PRIOR_CANDIDATES;
  const matchingCount = (matchCount + weight * (share ?? 0)) / Math.max(candidates + weight, 1);
  const targetMatches = Math.min(MAX_EXPECTED_CANDIDATES, (WINDOW_MARGIN * missing) / matchingCount);
  return (targetMatches * Math.max(messages, 1)) / Math.max(candidates, 1);
}

/** Counts the newest days that contain this many messages. Counts all days if they contain fewer. */
function countDays(days: readonly DayCount[], messages: number): number {
  let sum = 0;
  let count = 0;
  while (count < days.length && (count === 0 || sum < messages)) sum += days[count++]!.n;
  return count;
}

const getDay = ({ day }: DayCount): number => day;

const sumMessages = (days: readonly DayCount[]): number => days.reduce((sum, { n }) => sum + n, 0);

const toIso = (day: number | null): string | null =>
  day === null ? null : new Date(day * DAY_MS).toISOString();

/** Loads the message counts per day before `upperBound`, newest first. Reads up to `rows` rows. */
async function loadDaysBefore(
  ctx: Ctx,
  { accounts, folders, matching, since }: SearchTarget,
  upperBound: number | null,
  rows: number,
): Promise<DayList> {
  const rowsPerAccount = Math.ceil(rows / accounts.length);
  const before = upperBound ?? 2 ** 31 - 1;
  const lists = await Promise.all(
    accounts.map((account) =>
      ctx.db.rows<DayCount & { rows: number }>(
        sql`select d.day, sum(d.n)::int as n, count(*)::int as rows,
           coalesce(sum(d.n) filter (where d.folder_id = any(${matching}::int[])), 0)::int as matching
         from (
           select b.day, b.folder_id, b.n from svc_mail_bucket b
           where b.workspace_id = ${ctx.workspace.id} and b.account_id = ${account} and b.day < ${before}
             and b.day >= ${since ?? -(2 ** 31)}
             and (${folders}::int[] is null or b.folder_id = any(${folders}::int[]))
           order by b.day desc limit ${rowsPerAccount}
         ) d
         group by d.day order by d.day desc`,
      ),
    ),
  );
  const isTruncated = (list: { rows: number }[]) =>
    list.reduce((sum, day) => sum + day.rows, 0) === rowsPerAccount;
  // The last day of a truncated list may lack some folders.
  const knownUntil = Math.max(...lists.map((list) => (isTruncated(list) ? list.at(-1)!.day : -Infinity)));
  const counts = new Map<number, DayCount>();
  for (const list of lists.flat()) {
    if (list.day <= knownUntil) continue;
    const { n, matching: matchCount } = counts.get(list.day) ?? { n: 0, matching: 0 };
    counts.set(list.day, { day: list.day, n: n + list.n, matching: matchCount + list.matching });
  }
  const days = [...counts.values()].sort((a, b) => b.day - a.day);
  const messages = sumMessages(days);
  const ofFolders = days.reduce((sum, day) => sum + day.matching, 0);
  return {
    days,
    isAll: knownUntil === -Infinity,
    share: matching && messages > 0 ? ofFolders / messages : null,
  };
}
