import { useEffect, useState } from 'react';
import { RequestError, type RequestFailure } from '../../../graphql/request-error.ts';

/** A list that the server returns page by page. Each page contains the next page's key. */
export interface PagedList<Item> {
  /** Null while the first page is loading. */
  items: Item[] | null;
  refusal: RequestFailure | null;
  hasMore: boolean;
  isBusy: boolean;
  more(): void;
}

/** @param key identifies the list; a different key reloads it from the first page */
export function usePagedList<Item>(
  key: string,
  loadPage: (after: string | null) => Promise<{ items: Item[]; next: string | null }>,
): PagedList<Item> {
  const [loaded, setLoaded] = useState<{ key: string; items: Item[]; next: string | null } | null>(null);
  const [rejection, setRejection] = useState<RequestFailure | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const current = loaded?.key === key ? loaded : null;
  const load = async (before: Item[], after: string | null) => {
    setIsBusy(true);
    setRejection(null);
    try {
      const { items, next } = await loadPage(after);
      setLoaded({ key, items: [...before, ...items], next });
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setRejection(error.failure);
    } finally {
      setIsBusy(false);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the list
  useEffect(() => void load([], null), [key]);
  return {
    items: current?.items ?? null,
    refusal: rejection,
    hasMore: current !== null && current.next !== null,
    isBusy,
    more: () => void (current && load(current.items, current.next)),
  };
}
