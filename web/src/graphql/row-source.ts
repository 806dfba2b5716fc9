import { useCallback, useEffect, useReducer, useRef } from 'react';
import type { RequestFailure } from './request-error.ts';

export interface RowState<Row> {
  /** Null while loading. */
  total: number | null;
  /** True if `total` is only a lower bound. */
  isAtLeast: boolean;
  notes: readonly string[];
  refusal: RequestFailure | null;
  row(index: number): Row | undefined;
}

export interface RowSource<Row> {
  getState(): RowState<Row>;
  start(): void;
  /** Pauses loading until the next start. */
  stop(): void;
  look(first: number, last: number): void;
  reload(): void;
}

/**
 * Loads the rows of the list that `key` identifies.
 * @param create creates the list's source, which calls `onChange` after each state change
 */
export function useRowSource<Row>(key: string, create: (onChange: () => void) => RowSource<Row>) {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const current = useRef<{ key: string; source: RowSource<Row> } | null>(null);
  if (current.current?.key !== key) {
    current.current?.source.stop();
    current.current = { key, source: create(redraw) };
  }
  const { source } = current.current;
  useEffect(() => {
    source.start();
    return () => source.stop();
  }, [source]);
  const look = useCallback((first: number, last: number) => current.current!.source.look(first, last), []);
  const reload = useCallback(() => current.current!.source.reload(), []);
  return { ...source.getState(), look, reload };
}

/** Returns the failure to show. Loaded rows remain visible while the server is unreachable. */
export const getShownFailure = (failure: RequestFailure | null, hasRows: boolean): RequestFailure | null =>
  failure?.code === 'OFFLINE' && hasRows ? null : failure;
