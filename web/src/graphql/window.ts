import type { AnyVariables, DocumentInput } from '@urql/core';
import { useCallback, useEffect, useReducer, useRef } from 'react';
import { client } from './client.ts';
import { type Refusal, refusalOf } from './refusal.ts';

/** Rows of a page of a long list. */
export const PAGE = 100;
/** Pages that are loaded ahead, and those that are kept on either side. */
const AHEAD = 2;
const KEPT = 8;
/** Milliseconds between two rounds: whoever drags the bar over 100,000 rows asks for a few pages, not for all. */
const ROUND = 80;

/**
 * Pages to have loaded while rows `first` to `last` are in sight. The first page says the total, null before it is
 * known, and is how an empty list learns that it is empty no more. Pure.
 */
export function pagesAround(first: number, last: number, total: number | null): number[] {
  if (!total) return [0];
  const end = Math.ceil(total / PAGE) - 1;
  const from = Math.max(0, Math.floor(first / PAGE) - 1);
  const to = Math.min(end, Math.floor(last / PAGE) + AHEAD);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, step) => from + step);
}

/** Whether a page is so far from what is in sight that it is forgotten. Pure. */
export const isFar = (page: number, first: number, last: number): boolean =>
  page < Math.floor(first / PAGE) - KEPT || page > Math.floor(last / PAGE) + KEPT;

interface Paged<Row> {
  /** Rows of the whole list. */
  totalCount: number;
  nodes: Row[];
  /** Whether there are more than could be counted. */
  isAtLeast?: boolean;
  /** What the server says about the list. */
  notes?: readonly string[];
}

/** Rows of a list by index. */
export interface Rows<Row> {
  /** Null until it is known. */
  total: number | null;
  /** Whether there are more than could be counted. */
  isAtLeast: boolean;
  /** What the server says about the list. */
  notes: readonly string[];
  refusal: Refusal | null;
  /** Undefined while it is loading. */
  row(index: number): Row | undefined;
  /** Says what is in sight. */
  look(first: number, last: number): void;
  /** Asks again for what is loaded. */
  reload(): void;
}

interface Loaded<Row> {
  key: string;
  total: number | null;
  isAtLeast: boolean;
  notes: readonly string[];
  refusal: Refusal | null;
  pages: Map<number, Row[]>;
  following: Map<number, { unsubscribe(): void }>;
  sight: [number, number];
  round: number;
}

/** Rows of a long list: loads pages around those in sight, and forgets those far from it. */
export function useRows<Data, Variables extends AnyVariables, Row>(
  document: DocumentInput<Data, Variables & { first: number; offset: number }>,
  variables: Variables,
  pick: (data: Data) => Paged<Row>,
): Rows<Row> {
  const key = JSON.stringify(variables);
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const state = useRef<Loaded<Row> | null>(null);
  if (state.current?.key !== key) {
    if (state.current) leave(state.current);
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
  const asked = useRef({ document, variables, pick });
  asked.current = { document, variables, pick };
  const load = useCallback((list: Loaded<Row>, isFresh = false) => {
    const follow = (page: number) => {
      const { document, variables, pick } = asked.current;
      const all = { ...variables, first: PAGE, offset: page * PAGE };
      const requestPolicy = isFresh ? 'network-only' : 'cache-and-network';
      return client.query(document, all as never, { requestPolicy }).subscribe(({ data, error }) => {
        if (state.current !== list) return;
        const refusal = error ? refusalOf(error) : null;
        // What is there stays while the server cannot be reached.
        list.refusal = refusal?.code === 'OFFLINE' && list.pages.size > 0 ? null : refusal;
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
    for (const page of pagesAround(first, last, list.total))
      if (!list.following.has(page)) {
        // It may answer from the cache at once, and ask for more pages then.
        list.following.set(page, NOTHING);
        list.following.set(page, follow(page));
      }
    for (const [page, following] of list.following)
      if (isFar(page, first, last)) {
        following.unsubscribe();
        list.following.delete(page);
        list.pages.delete(page);
      }
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has another key
  useEffect(() => {
    load(state.current!);
    return () => {
      if (state.current) leave(state.current);
    };
  }, [key, load]);
  const look = useCallback(
    (first: number, last: number) => {
      const list = state.current!;
      list.sight = [first, last];
      if (list.round) return;
      load(list);
      list.round = window.setTimeout(() => {
        list.round = 0;
        if (state.current === list) load(list);
      }, ROUND);
    },
    [load],
  );
  const reload = useCallback(() => {
    const list = state.current!;
    leave(list);
    load(list, true);
  }, [load]);
  const { total, isAtLeast, notes, refusal, pages } = state.current;
  return {
    total,
    isAtLeast,
    notes,
    refusal,
    row: (index) => pages.get(Math.floor(index / PAGE))?.[index % PAGE],
    look,
    reload,
  };
}

const NOTHING = { unsubscribe() {} };

function leave(list: { following: Map<number, { unsubscribe(): void }> }): void {
  for (const following of list.following.values()) following.unsubscribe();
  list.following.clear();
}
