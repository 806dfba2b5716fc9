import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { namesFolders } from '../../../src/message/search/match.ts';
import type { SearchNode } from '../../../src/message/search/tree.ts';
import type { EntryPosition } from '../kit/entry-cursor.ts';
import { toDayNumber } from '../messages/folder-counts.ts';
import { buildCondition, buildHasLabelSql, type EntryCondition } from './conditions.ts';
import { filterByPhrases, needsPhraseCheck } from './phrases.ts';
import { type ResolvedSearch, resolveSearch } from './resolve-search.ts';
import { computeSpan } from './span.ts';
import { createSearchWindows, type SearchTarget, type SearchWindow } from './windows.ts';
import { buildAnyKeyQuery, buildWordQuery } from './word-query.ts';

/** Maximum number of candidate messages that one statement examines. */
const MAX_EXAMINED_ROWS = 4_500;
export const MAX_SEARCH_COUNT = 1_000;
const MAX_SEARCH_OFFSET = 5_000;
const MAX_PHRASE_TEXTS = 5_000;
const SEARCH_TIMEOUT_MS = 2_000;
const JOB_SEARCH_TIMEOUT_MS = 60_000;

interface SearchScope {
  /** Only messages after this position, in the order of the results. */
  after?: EntryPosition | null;
  /** Null for all folders. Ignored if the query names folders. */
  folderIds: readonly number[] | null;
  labelId?: number | null;
  unreadOnly?: boolean;
}

export interface SearchPage {
  /** Messages on this page, newest first. */
  ids: number[];
  /** Number of matches. A lower bound if there are too many to count, or counting took too long. */
  count: number;
  isCountAtLeast: boolean;
  hasMore: boolean;
  /** Explains parts of the query that were not understood. */
  notes: string[];
}

const NARROW_ADVICE = 'Narrow the search, for example with `after:2026-01-01`.';

/**
 * Returns a page of matches. The caller must be a member of all mailboxes.
 * @throws USER_ERROR if the page is too far from the start, or the search takes too long
 */
export async function loadSearchPage(
  ctx: Ctx,
  accounts: readonly number[],
  scope: SearchScope,
  text: string,
  page: { offset: number; limit: number },
): Promise<SearchPage> {
  if (page.offset > MAX_SEARCH_OFFSET) throw errors.user(NARROW_ADVICE);
  const resolvedSearch = await resolveSearch(ctx, accounts, text);
  // Only the first page counts the matches.
  const rowsNeeded = Math.max(page.offset + page.limit, scope.after ? 0 : MAX_SEARCH_COUNT) + 1;
  const pageEnd = page.offset + page.limit;
  const plan = buildSearchPlan(accounts, scope, resolvedSearch, SEARCH_TIMEOUT_MS);
  const { ids, isCut } = await findAllMatches(ctx, plan, rowsNeeded, pageEnd);
  return {
    ids: ids.slice(page.offset, pageEnd),
    count: Math.min(ids.length, MAX_SEARCH_COUNT),
    isCountAtLeast: isCut || ids.length > MAX_SEARCH_COUNT,
    hasMore: page.limit > 0 && ids.length > pageEnd,
    notes: resolvedSearch.notes,
  };
}

/** Finds the newest `limit` matches. @throws USER_ERROR if the search exceeds a job's time limit */
export async function findAllEntryIds(
  ctx: Ctx,
  accounts: readonly number[],
  scope: SearchScope,
  text: string,
  limit: number,
): Promise<Pick<SearchPage, 'ids' | 'notes'>> {
  const resolvedSearch = await resolveSearch(ctx, accounts, text);
  const plan = buildSearchPlan(accounts, scope, resolvedSearch, JOB_SEARCH_TIMEOUT_MS);
  const { ids } = await findAllMatches(ctx, plan, limit, limit);
  return { ids, notes: resolvedSearch.notes };
}

interface SearchPlan {
  accounts: readonly number[];
  ground: SearchTarget;
  understood: ResolvedSearch;
  /** A tsquery for all parts that index terms can express. Null to scan the mailbox. */
  words: string | null;
  condition: EntryCondition;
  phrases: SearchNode[];
  /** True if an index returns few candidates, so that no windows are needed. */
  isNarrow: boolean;
  /** Deadline as Unix time in milliseconds. */
  end: number;
}

/** @param time timeout in milliseconds */
function buildSearchPlan(
  accounts: readonly number[],
  scope: SearchScope,
  resolvedSearch: ResolvedSearch,
  time: number,
): SearchPlan {
  const { tree, meaning } = resolvedSearch;
  const nodes = tree?.kind === 'and' ? tree.nodes : tree ? [tree] : [];
  const parts: SearchNode[] = scope.unreadOnly ? [...nodes, { kind: 'is', state: 'unread' }] : nodes;
  const queries = parts.map(buildWordQuery);
  const words = queries.flatMap(({ query }) => query ?? []);
  const hasWords = words.some((query) => !query.startsWith('!'));
  // The index already covers conditions that its terms express exactly.
  const searchParts = hasWords ? parts.filter((_, i) => !queries[i]!.isExact) : parts;
  const condition = buildCondition(searchParts, meaning);
  const folderIds = namesFolders(tree) ? null : scope.folderIds;
  const folders = folderIds ? buildFoldersSql(folderIds) : sql.empty;
  const label = scope.labelId ? sql` and ${buildHasLabelSql(meaning.workspace, [scope.labelId])}` : sql.empty;
  return {
    accounts,
    ground: {
      accounts,
      folders: hasWords ? null : folderIds,
      matching: searchParts.length === 0 && !scope.labelId ? folderIds : null,
      ...computeSpan(parts, meaning.clock, scope.after && toDayNumber(new Date(`${scope.after.date}Z`))),
      isWalk: !hasWords,
    },
    understood: resolvedSearch,
    words: hasWords ? words.join(' & ') : null,
    condition: {
      ...condition,
      where: sql`${condition.where}${folders}${label}${buildAfterSql(scope.after)}`,
    },
    phrases: parts.filter(needsPhraseCheck),
    isNarrow: !hasWords && parts.some(isNarrow),
    end: Date.now() + time,
  };
}

const buildAfterSql = (after: EntryPosition | null | undefined): Sql =>
  after ? sql` and (e.date, e.id) < (${after.date}::timestamp, ${after.id}::int8)` : sql.empty;

const buildFoldersSql = (ids: readonly number[]): Sql =>
  ids.length === 1 ? sql` and e.folder_id = ${ids[0]}` : sql` and e.folder_id = any(${ids}::int[])`;

const isNarrow = (node: SearchNode): boolean =>
  (node.kind === 'exact' && node.of !== 'deliveredTo') || (node.kind === 'is' && node.state !== 'read');

/** PostgreSQL's query_canceled, which the statement timeout raises. */
const QUERY_CANCELED = '57014';

interface AllMatches {
  ids: number[];
  isCut: boolean;
}

/**
 * Finds up to `rowsNeeded` matches, newest first.
 * @throws USER_ERROR if the time limit is reached before `minRows` matches are found
 */
async function findAllMatches(
  ctx: Ctx,
  plan: SearchPlan,
  rowsNeeded: number,
  minRows: number,
): Promise<AllMatches> {
  const ids: number[] = [];
  try {
    for await (const matches of searchWindows(ctx, plan, rowsNeeded)) {
      ids.push(...matches.ids);
      if (matches.isCut) throw errors.user(NARROW_ADVICE);
    }
    return { ids, isCut: false };
  } catch (error) {
    const isOver =
      (error as Error).message === NARROW_ADVICE || (error as { code?: string }).code === QUERY_CANCELED;
    if (!isOver) throw error;
    if (ids.length < minRows) throw errors.user(NARROW_ADVICE);
    return { ids, isCut: true };
  }
}

async function* searchWindows(ctx: Ctx, plan: SearchPlan, rowsNeeded: number): AsyncGenerator<WindowMatches> {
  if (plan.isNarrow) {
    yield await withTimeLimit(ctx, plan.end, (tx) => findInWindow(tx, plan, null, rowsNeeded));
    return;
  }
  const windows = createSearchWindows(ctx, plan.ground);
  let missingRows = rowsNeeded;
  let before: WindowMatches | null = null;
  while (missingRows > 0) {
    const last: WindowMatches | null = before;
    const window = await windows.next(
      last && {
        candidates: last.candidates,
        matchCount: last.ids.length,
        missing: missingRows,
        isFull: last.isFull,
      },
    );
    if (!window) return;
    const remainingCount = missingRows;
    // The first window is small, so it needs no timeout.
    const matches: WindowMatches = last
      ? await withTimeLimit(ctx, plan.end, (tx) => findInWindow(tx, plan, window, remainingCount))
      : await findInWindow(ctx, plan, window, remainingCount);
    if (!matches.isFull) {
      yield matches;
      missingRows -= matches.ids.length;
    }
    before = matches;
  }
}

async function withTimeLimit(
  ctx: Ctx,
  end: number,
  find: (tx: Ctx) => Promise<WindowMatches>,
): Promise<WindowMatches> {
  const remainingMs = end - Date.now();
  if (remainingMs <= 0) throw errors.user(NARROW_ADVICE);
  return ctx.tx(async (tx) => {
    // Both statements share one round trip.
    const [, matches] = await Promise.all([
      tx.db.rows(sql`select set_config('statement_timeout', ${String(remainingMs)}, true)`),
      find(tx),
    ]);
    return matches;
  });
}

interface WindowMatches {
  ids: number[];
  candidates: number;
  /** True if there were too many candidates to check all of them. */
  isFull: boolean;
  isCut: boolean;
}

async function findInWindow(
  ctx: Ctx,
  plan: SearchPlan,
  window: SearchWindow | null,
  rowsNeeded: number,
): Promise<WindowMatches> {
  const { phrases, understood } = plan;
  const maxRows = phrases.length > 0 ? MAX_PHRASE_TEXTS : rowsNeeded;
  const [row] = await ctx.db.rows<WindowMatches>(buildStatement(plan, window, maxRows));
  const { candidates } = row!;
  const isFull = plan.words !== null && window?.isDivisible === true && candidates >= MAX_EXAMINED_ROWS;
  if (isFull || phrases.length === 0) return { ids: row!.ids, candidates, isFull, isCut: false };
  const { clock } = understood.meaning;
  const matchingIds = await filterByPhrases(ctx, row!.ids, phrases, clock, {
    limit: rowsNeeded,
    end: plan.end,
  });
  const isMore = matchingIds.ids.length < rowsNeeded && row!.ids.length === maxRows;
  return { ids: matchingIds.ids, candidates, isFull, isCut: matchingIds.isCut || isMore };
}

function buildStatement(
  { accounts, ground, understood, words, condition, isNarrow: isFew }: SearchPlan,
  window: SearchWindow | null,
  rowsNeeded: number,
): Sql {
  const { workspace } = understood.meaning;
  // `+ 0` makes PostgreSQL scan a single folder through the folder index instead of the mailbox index.
  const itsAccount = ground.folders?.length === 1 && window ? sql`(e.account_id + 0)` : sql`e.account_id`;
  const account =
    accounts.length === 1
      ? sql`${itsAccount} = ${accounts[0]}`
      : sql`${itsAccount} = any(${accounts}::int[])`;
  const content = condition.ofContent
    ? sql` join svc_mail_message c on c.workspace_id = ${workspace} and c.id = e.content_id`
    : sql.empty;
  const itsWords = condition.ofWords
    ? sql` join svc_mail_search s on s.workspace_id = ${workspace} and s.entry_id = e.id`
    : sql.empty;
  if (words === null || !window || isFew)
    return sql`with found as materialized (
        select e.id, e.date from svc_mail_entry e${content}${itsWords}
        where e.workspace_id = ${workspace} and ${account} and ${condition.where}${buildWindowSql(sql`e`, window)}
        order by e.date desc, e.id desc limit ${sql.literal(rowsNeeded)})
      select array(select id from found order by date desc, id desc) as ids,
        (select count(*)::int from found) as candidates`;
  // Keeps the keys in a separate condition. In a combined query, the index would read every message in the window
  // whenever its days are rarer than the terms.
  const keys = sql.literal(buildAnyKeyQuery(window.keys));
  const days = buildWindowSql(sql`s`, window);
  const limitSql = window.isDivisible ? sql` limit ${sql.literal(MAX_EXAMINED_ROWS)}` : sql.empty;
  // The index lookup is materialized, because PostgreSQL would otherwise scan the entire mailbox from the newest
  // message for a rare term. The limit is materialized, because PostgreSQL would otherwise expect that scan to find a
  // few matches quickly. An entry has the same date as its search row, so no more entries are read than requested.
  return sql`with w as materialized (
      select s.entry_id as id, s.date from svc_mail_search s
      where s.workspace_id = ${workspace} and s.words @@ ${keys}::tsquery and s.words @@ ${sql.literal(words)}::tsquery
        and s.words is not null${days}),
    k as materialized (select id, date from w${limitSql})
    select (select count(*)::int from k) as candidates, array(
      select e.id from (select id, date from k order by date desc, id desc) n
      cross join lateral (select x.* from svc_mail_entry x
        where x.workspace_id = ${workspace} and x.id = n.id offset 0) e${content}${itsWords}
      where ${account} and ${condition.where} order by n.date desc, n.id desc limit ${sql.literal(rowsNeeded)}) as ids`;
}

function buildWindowSql(row: Sql, window: SearchWindow | null): Sql {
  const from = window?.from ? sql` and ${row}.date >= ${sql.literal(window.from)}::timestamp` : sql.empty;
  const upperBound = window?.until
    ? sql` and ${row}.date < ${sql.literal(window.until)}::timestamp`
    : sql.empty;
  return sql`${from}${upperBound}`;
}
