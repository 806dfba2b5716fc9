import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { buildDayKeys, buildMailboxKeys, countIndexedDays } from '../messages/index-keys.ts';

/** A stretch of time in which a search looks at one time. */
export interface SearchWindow {
  /** In ISO form, null for the beginning of time. */
  from: string | null;
  /** Exclusive; null for no end. */
  until: string | null;
  /** Keys of the index, one of which each message of the window has. */
  keys: string[];
  /** How many messages came in it; 0 where it is not known. */
  messages: number;
  /** Whether smaller ones can be taken in its place. */
  isDivisible: boolean;
}

/** What a search goes through. */
export interface SearchTarget {
  accounts: readonly number[];
  /** Folders whose messages the windows are measured by; null for all. */
  folders: readonly number[] | null;
  /** Folders in which messages with the words match, all of them; null where they may have to meet more than that. */
  matching: readonly number[] | null;
  /** Days since 1970 in which all matches came, the second exclusive; null for no bound. */
  since: number | null;
  before: number | null;
  /** Whether all messages of a window are read, as no index leads to those that match. */
  isWalk: boolean;
}

/** Messages of the first window, and of each where all of them are read. */
const FIRST_WINDOW_MESSAGES = 4_000;

/** Messages with the words that a later window may be expected to have. */
const MAX_EXPECTED_CANDIDATES = 3_500;

/** With fewer messages in the first window that have the words, all others are looked for in one step. */
const RARE_CANDIDATES = 12;

/** Messages with the words that say as much of how many match as the folders of all messages do. */
const PRIOR_WEIGHT = 30;

/** By how much a window is larger than one that should have enough. */
const WINDOW_MARGIN = 1.15;

/** Where a window is more than half of the days that are known, the mailbox's own key costs less than theirs. */
const WHOLE_MAILBOX_RATIO = 2;

/** Into how many a window is divided that has too many messages with the words. */
const WINDOW_DIVISION = 8;

/** Rows of counts that are read for the first window, and for all others. */
const FIRST_COUNT_ROWS = 200;
const MAX_COUNT_ROWS = 4_500;

/** Milliseconds of a day. */
const DAY_MS = 86_400_000;

interface DayCount {
  day: number;
  n: number;
  /** Those of them in folders where messages with the words match. */
  matching: number;
}

/** Days of a mailbox, newest first. */
interface DayList {
  days: DayCount[];
  /** Whether all days before are in the list. */
  isAll: boolean;
  /** Which share of messages is in folders where those with the words match; null where more is asked of them. */
  share: number | null;
}

/** What came of a window. */
export interface WindowOutcome {
  /** Messages that had the words. */
  candidates: number;
  /** Those that matched in all. */
  matched: number;
  /** How many more are wanted. */
  missing: number;
  /** Whether it had too many candidates, so that it has to be divided. */
  isFull: boolean;
}

/** Hands out the windows of mailboxes, newest first. */
export interface SearchWindows {
  /**
   * @param before what came of the last window; null for the first one
   * @returns null after the last one
   */
  next(before: WindowOutcome | null): Promise<SearchWindow | null>;
}

/**
 * The windows: the newest few thousand messages, then as many as may hold as many candidates again. So a common word
 * reads little, and a rare one takes two statements.
 */
export function createSearchWindows(ctx: Ctx, ground: SearchTarget): SearchWindows {
  const { accounts, isWalk, since } = ground;
  let { days, isAll, share }: DayList = { days: [], isAll: false, share: null };
  /** How many rows of counts were asked for. */
  let requestedRows = 0;
  /** Days from this one on have been handed out. */
  let bound = ground.before;
  let last: { window: SearchWindow; taken: DayCount[]; boundBefore: number | null } | null = null;
  let isOver = false;

  const load = async (rows: number) => {
    requestedRows = rows;
    ({ days, isAll, share } = await loadDaysBefore(ctx, ground, bound, rows));
  };
  const hand = (window: SearchWindow, taken: DayCount[], boundAfter: number | null): SearchWindow => {
    last = { window, taken, boundBefore: bound };
    bound = boundAfter;
    return window;
  };
  /** All that is left, whatever days there are. */
  const rest = (taken: DayCount[], isDivisible: boolean): SearchWindow => {
    isOver = true;
    const messages = sumMessages(taken);
    const keys = buildMailboxKeys(ctx.workspace.id, accounts);
    const window = { from: toIso(since), until: toIso(bound), keys, messages, isDivisible };
    days = [];
    return hand(window, taken, bound);
  };
  const take = (size: number): SearchWindow => {
    let count = countDays(days, size);
    if (count === 0 || (count === days.length && isAll)) return rest(days, count > 1);
    const isMost = sumMessages(days) < WHOLE_MAILBOX_RATIO * sumMessages(days.slice(0, count));
    if (!isWalk && !isMost) count = countIndexedDays(accounts.length, days.slice(0, count).map(getDay));
    const taken = days.slice(0, count);
    days = days.slice(count);
    const oldest = taken.at(-1)!.day;
    const keys = isWalk ? [] : buildDayKeys(ctx.workspace.id, accounts, taken.map(getDay));
    const [from, until] = [toIso(oldest), toIso(bound)];
    const window = { from, until, keys, messages: sumMessages(taken), isDivisible: count > 1 };
    return hand(window, taken, oldest);
  };
  const again = async (): Promise<SearchWindow> => {
    const { window, taken, boundBefore } = last!;
    isOver = false;
    bound = boundBefore;
    days = [...taken, ...days];
    if (taken.length === 0) await load(MAX_COUNT_ROWS);
    return take((window.messages || sumMessages(days)) / WINDOW_DIVISION);
  };
  return {
    async next(before) {
      if (before?.isFull) return again();
      if (isOver) return null;
      if (!last) {
        await load(FIRST_COUNT_ROWS);
        if (days.length === 0 && !isAll) await load(MAX_COUNT_ROWS);
        return take(FIRST_WINDOW_MESSAGES);
      }
      if (!isWalk && requestedRows === FIRST_COUNT_ROWS && !isAll && before!.candidates < RARE_CANDIDATES)
        return rest([], true);
      const size = isWalk ? FIRST_WINDOW_MESSAGES : computeNextSize(last.window.messages, share, before!);
      if (!isAll && (days.length === 0 || (requestedRows === FIRST_COUNT_ROWS && sumMessages(days) < size)))
        await load(MAX_COUNT_ROWS);
      return take(size);
    },
  };
}

/**
 * How many messages hold those that are still wanted, if they are as dense as in the last window. A few matches say
 * little of how many of those with the words match; where nothing but the folder decides, all messages say it, too.
 */
function computeNextSize(
  messages: number,
  share: number | null,
  { candidates, matched, missing }: WindowOutcome,
): number {
  const weight = share === null ? 0 : PRIOR_WEIGHT;
  const matching = (matched + weight * (share ?? 0)) / Math.max(candidates + weight, 1);
  const targetMatches = Math.min(MAX_EXPECTED_CANDIDATES, (WINDOW_MARGIN * missing) / matching);
  return (targetMatches * Math.max(messages, 1)) / Math.max(candidates, 1);
}

/** How many of the days, newest first, have so many messages, or all. */
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

/** How many messages came on each day before `bound`, newest first, as far as so many rows of counts say. */
async function loadDaysBefore(
  ctx: Ctx,
  { accounts, folders, matching, since }: SearchTarget,
  bound: number | null,
  rows: number,
): Promise<DayList> {
  const most = Math.ceil(rows / accounts.length);
  const before = bound ?? 2 ** 31 - 1;
  const scope = { workspace: ctx.workspace.id, since: since ?? -(2 ** 31), before, most, folders, matching };
  const lists = await Promise.all(
    accounts.map((account) => ctx.db.rows<DayCount & { rows: number }>(SELECT_DAYS({ ...scope, account }))),
  );
  const isCut = (list: { rows: number }[]) => list.reduce((sum, day) => sum + day.rows, 0) === most;
  // Of the last day in a list that was cut, not all folders may be in it.
  const known = Math.max(...lists.map((list) => (isCut(list) ? list.at(-1)!.day : -Infinity)));
  const counts = new Map<number, DayCount>();
  for (const each of lists.flat()) {
    if (each.day <= known) continue;
    const { n, matching: own } = counts.get(each.day) ?? { n: 0, matching: 0 };
    counts.set(each.day, { day: each.day, n: n + each.n, matching: own + each.matching });
  }
  const days = [...counts.values()].sort((a, b) => b.day - a.day);
  const messages = sumMessages(days);
  const ofFolders = days.reduce((sum, day) => sum + day.matching, 0);
  return {
    days,
    isAll: known === -Infinity,
    share: matching && messages > 0 ? ofFolders / messages : null,
  };
}

interface DayScope {
  workspace: number;
  account: number;
  folders: readonly number[] | null;
  matching: readonly number[] | null;
  since: number;
  before: number;
  most: number;
}

const SELECT_DAYS = sql.prepare<DayScope>(
  (p) => sql`
  select d.day, sum(d.n)::int as n, count(*)::int as rows,
    coalesce(sum(d.n) filter (where d.folder_id = any(${p.matching}::int[])), 0)::int as matching
  from (
    select b.day, b.folder_id, b.n from svc_mail_bucket b
    where b.workspace_id = ${p.workspace} and b.account_id = ${p.account} and b.day < ${p.before}
      and b.day >= ${p.since} and (${p.folders}::int[] is null or b.folder_id = any(${p.folders}::int[]))
    order by b.day desc limit ${p.most}
  ) d
  group by d.day order by d.day desc`,
);
