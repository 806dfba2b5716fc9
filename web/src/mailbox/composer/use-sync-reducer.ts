import { useCallback, useReducer, useRef } from 'react';

export interface SyncReducer<State, Event> {
  state: State;
  getState(): State;
  dispatch(event: Event): void;
}

/** Like `useReducer`, but `getState` reflects a dispatched event before the next render. */
export function useSyncReducer<State, Event>(
  reduce: (state: State, event: Event) => State,
  createState: () => State,
): SyncReducer<State, Event> {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const holder = useRef<{ state: State } | null>(null);
  holder.current ??= { state: createState() };
  const { current } = holder;
  const dispatch = useCallback(
    (event: Event) => {
      current.state = reduce(current.state, event);
      redraw();
    },
    [current, reduce],
  );
  return { state: current.state, getState: () => current.state, dispatch };
}
