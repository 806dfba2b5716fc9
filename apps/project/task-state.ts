/** States of a task that has come to its end. */
export const CLOSED = ['1_done', '1_canceled'];

const isClosed = (state: unknown): boolean => typeof state === 'string' && CLOSED.includes(state);

export const WAITING = '04_waiting_normal';
export const OPEN = '01_in_progress';

/**
 * The state of a task by what it waits for, null when it stays. A closed task stays closed; an open one waits while a
 * task before it is open, and goes on when none is.
 */
export function stateAfter(state: string, isBlocked: boolean): string | null {
  if (isClosed(state)) return null;
  if (isBlocked) return state === WAITING ? null : WAITING;
  return state === WAITING ? OPEN : null;
}
