import { type Cache, createCache, memoizePerObject } from '../../../src/cache.ts';
import type { Database } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';

export const EMAILS_PER_CHECKPOINT = 1_000;
const MAX_LISTS = 200;
/** Milliseconds after which a list's checkpoints are rebuilt. */
const CHECKPOINT_TTL_MS = 15 * 60_000;
/** Milliseconds after which checkpoints for new emails are added. */
const CHECKPOINT_INTERVAL_MS = 60_000;

/**
 * Checkpoints in a workspace's list of emails, in creation order. Loading a distant page or counting all emails reads
 * only the emails up to the nearest checkpoint. Emails are never removed, and none are inserted before
 * `SETTLED_BEFORE`, so checkpoints remain valid. They are still rebuilt periodically.
 */
interface Checkpoints {
  /** Every `EMAILS_PER_CHECKPOINT`th email. `rank` starts at 1 for the oldest email. */
  list: PageCheckpoint[];
  builtAt: number;
  extendedAt: number;
}

export interface PageCheckpoint {
  /** In the database's text format. */
  at: string;
  id: number;
  rank: number;
}

export interface EmailListing {
  workspaceId: number;
  domainId: number | null;
}

/** The list no longer changes before this time, because no transaction that inserts emails takes this long. */
const SETTLED_BEFORE = sql`now() - interval '2 minutes'`;

const LIST_START: PageCheckpoint = { at: '-infinity', id: 0, rank: 0 };

/**
 * Matches an email `m` in the list, written so that the planner chooses the right index. Excludes mail from mailboxes.
 */
export function isInListing({ workspaceId, domainId }: EmailListing): Sql {
  const inWorkspace = sql`m.workspace_id = ${sql.param(workspaceId)} and m.mailbox_id is null`;
  return domainId === null ? inWorkspace : sql`${inWorkspace} and m.domain_id = ${sql.param(domainId)}`;
}

interface ListingCache {
  db: Database;
  checkpoints: Cache<string, Checkpoints>;
  running: Map<string, Promise<Checkpoints>>;
}

const getListingCache = memoizePerObject(
  (db: Database): ListingCache => ({
    db,
    checkpoints: createCache({ entries: MAX_LISTS }),
    running: new Map(),
  }),
);

/** Returns a list's checkpoints. Returns outdated ones immediately and refreshes them in the background. */
export async function loadCheckpoints(db: Database, listing: EmailListing): Promise<PageCheckpoint[]> {
  const book = getListingCache(db);
  const key = `${listing.workspaceId} ${listing.domainId ?? ''}`;
  const marks = book.checkpoints.get(key);
  if (!marks) return (await refreshCheckpoints(book, key, listing, null)).list;
  const now = Date.now();
  const isOld = now - marks.builtAt > CHECKPOINT_TTL_MS;
  if (isOld || now - marks.extendedAt > CHECKPOINT_INTERVAL_MS)
    refreshCheckpoints(book, key, listing, isOld ? null : marks).catch(() => undefined);
  return marks.list;
}

function refreshCheckpoints(
  { db, checkpoints, running }: ListingCache,
  key: string,
  listing: EmailListing,
  from: Checkpoints | null,
): Promise<Checkpoints> {
  const pendingRefresh = running.get(key);
  if (pendingRefresh) return pendingRefresh;
  const refresh = extendCheckpoints(db, listing, from)
    .then((marks) => {
      checkpoints.set(key, marks);
      return marks;
    })
    .finally(() => running.delete(key));
  running.set(key, refresh);
  return refresh;
}

async function extendCheckpoints(
  db: Database,
  listing: EmailListing,
  from: Checkpoints | null,
): Promise<Checkpoints> {
  const last = from?.list.at(-1) ?? LIST_START;
  const newCheckpoints = await db.rows<PageCheckpoint>(
    sql`select at::text, id, ${last.rank}::int + n::int as rank from (
       select m.create_date as at, m.id, row_number() over (order by m.create_date, m.id) as n from svc_email m
       where ${isInListing(listing)} and (m.create_date, m.id) > (${last.at}::timestamp, ${last.id}::int8)
         and m.create_date < ${SETTLED_BEFORE}
     ) numbered where n % ${sql.literal(EMAILS_PER_CHECKPOINT)} = 0 order by n`,
  );
  const now = Date.now();
  return { list: [...(from?.list ?? []), ...newCheckpoints], builtAt: from?.builtAt ?? now, extendedAt: now };
}

/**
 * Returns the last checkpoint before a time. The checkpoints must be sorted.
 * @param time in the database's format; `infinity` for all, `-infinity` for none
 */
export function findCheckpointBefore(marks: PageCheckpoint[], time: string): PageCheckpoint {
  const index = findFirstIndex(marks, (mark) => compareTimes(mark.at, time) >= 0);
  return index > 0 ? marks[index - 1]! : LIST_START;
}

function compareTimes(a: string, b: string): number {
  if (b === 'infinity') return -1;
  return b === '-infinity' ? 1 : a < b ? -1 : a > b ? 1 : 0;
}

/** Converts an ISO 8601 time (milliseconds, Z) to the database's format, so that the strings can be compared. */
export const toDatabaseTime = (instant: string): string =>
  instant
    .replace('T', ' ')
    .replace('Z', '')
    .replace(/\.000$/, '')
    .replace(/(\.\d*?)0+$/, '$1');

export function findCheckpointFrom(marks: PageCheckpoint[], rank: number): PageCheckpoint | null {
  return marks[findFirstIndex(marks, (mark) => mark.rank >= rank)] ?? null;
}

function findFirstIndex(marks: PageCheckpoint[], fits: (mark: PageCheckpoint) => boolean): number {
  let [low, high] = [0, marks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fits(marks[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
