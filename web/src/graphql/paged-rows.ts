import type { RequestFailure } from './request-error.ts';
import { getShownFailure, type RowSource, type RowState } from './row-source.ts';

export const PAGE_SIZE = 100;
/** Number of pages to prefetch, and number of pages to keep on either side of the visible rows. */
const PAGES_AHEAD = 2;
const MAX_PAGE_DISTANCE = 8;
/** Limits how often pages load, so that dragging the scrollbar over 100,000 rows requests only a few pages. */
export const LOAD_INTERVAL_MS = 80;

export interface RowPage<Row> {
  totalCount: number;
  nodes: Row[];
  isAtLeast?: boolean;
  notes?: readonly string[];
}

export interface PageResult<Row> {
  page: RowPage<Row> | undefined;
  failure: RequestFailure | null;
}

interface Subscription {
  unsubscribe(): void;
}

/** Subscribes to a page. `onResult` may run synchronously from the cache, and again after each change. */
type FollowPage<Row> = (
  index: number,
  isFresh: boolean,
  onResult: (result: PageResult<Row>) => void,
) => Subscription;

/** Loads rows page by page around the visible rows, and discards distant pages. */
export function createPagedRows<Row>(follow: FollowPage<Row>, onChange: () => void): RowSource<Row> {
  const pages = new Map<number, Row[]>();
  const subscriptions = new Map<number, Subscription>();
  let facts: Omit<RowState<Row>, 'row'> = { total: null, isAtLeast: false, notes: [], refusal: null };
  let visible: [first: number, last: number] = [0, 0];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const receive = (index: number, { page, failure }: PageResult<Row>) => {
    facts = { ...facts, refusal: getShownFailure(failure, pages.size > 0) };
    if (page) {
      const isFirst = facts.total === null;
      const { totalCount, nodes, isAtLeast = false, notes = [] } = page;
      facts = { ...facts, total: totalCount, isAtLeast, notes };
      pages.set(index, nodes);
      if (isFirst) load();
    }
    onChange();
  };
  const load = (isFresh = false) => {
    const [first, last] = visible;
    for (const index of getPagesToLoad(first, last, facts.total))
      if (!subscriptions.has(index)) {
        // The callback may run synchronously from the cache and load more pages.
        subscriptions.set(index, NO_SUBSCRIPTION);
        subscriptions.set(
          index,
          follow(index, isFresh, (result) => receive(index, result)),
        );
      }
    for (const [index, subscription] of subscriptions)
      if (isFarAway(index, first, last)) {
        subscription.unsubscribe();
        subscriptions.delete(index);
        pages.delete(index);
      }
  };
  const unsubscribeAll = () => {
    for (const subscription of subscriptions.values()) subscription.unsubscribe();
    subscriptions.clear();
  };

  return {
    getState: () => ({
      ...facts,
      row: (index) => pages.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE],
    }),
    start: load,
    stop() {
      clearTimeout(timer);
      timer = undefined;
      unsubscribeAll();
    },
    look(first, last) {
      visible = [first, last];
      if (timer) return;
      load();
      timer = setTimeout(() => {
        timer = undefined;
        load();
      }, LOAD_INTERVAL_MS);
    },
    reload() {
      unsubscribeAll();
      load(true);
    },
  };
}

const NO_SUBSCRIPTION: Subscription = { unsubscribe() {} };

/**
 * Returns the pages to load while rows `first` to `last` are visible. `total` is null while it is loading. The first
 * page of an empty list is always included, so that new rows appear.
 */
export function getPagesToLoad(first: number, last: number, total: number | null): number[] {
  if (!total) return [0];
  const end = Math.ceil(total / PAGE_SIZE) - 1;
  const from = Math.max(0, Math.floor(first / PAGE_SIZE) - 1);
  const to = Math.min(end, Math.floor(last / PAGE_SIZE) + PAGES_AHEAD);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => from + step);
}

/** True if a page is far enough from the visible rows to be discarded. */
export const isFarAway = (page: number, first: number, last: number): boolean =>
  page < Math.floor(first / PAGE_SIZE) - MAX_PAGE_DISTANCE ||
  page > Math.floor(last / PAGE_SIZE) + MAX_PAGE_DISTANCE;
