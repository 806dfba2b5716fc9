import type { AnyVariables, DocumentInput } from '@urql/core';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { client } from './client.ts';
import { type RequestFailure, toRequestFailure } from './request-error.ts';

/** Rows per page of a long list. */
export const PAGE_SIZE = 100;
/** Number of pages to prefetch, and number of pages to keep on either side of the visible rows. */
const PAGES_AHEAD = 2;
const MAX_PAGE_DISTANCE = 8;
/** Milliseconds between two loads. Dragging the scrollbar over 100,000 rows then requests only a few pages. */
const LOAD_INTERVAL_MS = 80;

/**
 * Returns the pages to load while rows `first` to `last` are visible. `total` is null until known. The first page is
 * always included while the list is empty, so that new rows are noticed.
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

interface RowPage<Row> {
  totalCount: number;
  nodes: Row[];
  /** True if the count is only a lower bound. */
  isAtLeast?: boolean;
  /** Server remarks about the list. */
  notes?: readonly string[];
}

export interface Rows<Row> {
  /** Null until known. */
  total: number | null;
  /** True if the count is only a lower bound. */
  isAtLeast: boolean;
  /** Server remarks about the list. */
  notes: readonly string[];
  refusal: RequestFailure | null;
  /** Undefined while loading. */
  row(index: number): Row | undefined;
  look(first: number, last: number): void;
  reload(): void;
}

interface ListState<Row> {
  key: string;
  total: number | null;
  isAtLeast: boolean;
  notes: readonly string[];
  refusal: RequestFailure | null;
  pages: Map<number, Row[]>;
  following: Map<number, { unsubscribe(): void }>;
  sight: [number, number];
  round: number;
}

/** Loads the rows of a long list page by page around the visible rows, and discards distant pages. */
export function useRows<Data, Variables extends AnyVariables, Row>(
  document: DocumentInput<Data, Variables & { first: number; offset: number }>,
  variables: Variables,
  pick: (data: Data) => RowPage<Row>,
): Rows<Row> {
  const key = JSON.stringify(variables);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const state = useRef<ListState<Row> | null>(null);
  if (state.current?.key !== key) {
    if (state.current) unsubscribeAll(state.current);
    state.current = {
      key,
      total: null,
      isAtLeast: false,
      notes: [],
      refusal: null,
      pages: new Map(),
      following: new Map(),
      sight: [0, 0],
      round: 0,
    };
  }
  const latest = useRef({ document, variables, pick });
  latest.current = { document, variables, pick };
  const load = useCallback((list: ListState<Row>, isFresh = false) => {
    const subscribe = (page: number) => {
      const { document, variables, pick } = latest.current;
      const all = { ...variables, first: PAGE_SIZE, offset: page * PAGE_SIZE };
      const requestPolicy = isFresh ? 'network-only' : 'cache-and-network';
      return client.query(document, all as never, { requestPolicy }).subscribe(({ data, error }) => {
        if (state.current !== list) return;
        const rejection = error ? toRequestFailure(error) : null;
        // Loaded rows remain visible while the server is unreachable.
        list.refusal = rejection?.code === 'OFFLINE' && list.pages.size > 0 ? null : rejection;
        if (data) {
          const wasUnknown = list.total === null;
          const { totalCount, nodes, isAtLeast = false, notes = [] } = pick(data);
          Object.assign(list, { total: totalCount, isAtLeast, notes });
          list.pages.set(page, nodes);
          if (wasUnknown) load(list);
        }
        redraw();
      });
    };
    const [first, last] = list.sight;
    for (const page of getPagesToLoad(first, last, list.total))
      if (!list.following.has(page)) {
        // The callback may run synchronously from the cache and load more pages.
        list.following.set(page, NO_SUBSCRIPTION);
        list.following.set(page, subscribe(page));
      }
    for (const [page, following] of list.following)
      if (isFarAway(page, first, last)) {
        following.unsubscribe();
        list.following.delete(page);
        list.pages.delete(page);
      }
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the list
  useEffect(() => {
    load(state.current!);
    return () => {
      if (state.current) unsubscribeAll(state.current);
    };
  }, [key, load]);
  const check = useCallback(
    (first: number, last: number) => {
      const list = state.current!;
      list.sight = [first, last];
      if (list.round) return;
      load(list);
      list.round = window.setTimeout(() => {
        list.round = 0;
        if (state.current === list) load(list);
      }, LOAD_INTERVAL_MS);
    },
    [load],
  );
  const reload = useCallback(() => {
    const list = state.current!;
    unsubscribeAll(list);
    load(list, true);
  }, [load]);
  const { total, isAtLeast, notes, refusal, pages } = state.current;
  return {
    total,
    isAtLeast,
    notes,
    refusal,
    row: (index) => pages.get(Math.floor(index / PAGE_SIZE))?.[index % PAGE_SIZE],
    look: check,
    reload,
  };
}

const NO_SUBSCRIPTION = { unsubscribe() {} };

function unsubscribeAll(list: { following: Map<number, { unsubscribe(): void }> }): void {
  for (const following of list.following.values()) following.unsubscribe();
  list.following.clear();
}
