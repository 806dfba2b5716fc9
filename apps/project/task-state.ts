/** States of a task that has come to its end. */
export const CLOSED_STATES = ['1_done', '1_canceled'];

const isClosed = (state: unknown): boolean => typeof state === 'string' && CLOSED_STATES.includes(state);

export const WAITING_STATE = '04_waiting_normal';
export const OPEN_STATE = '01_in_progress';

/**
 * The state of a task by what it waits for, null when it stays. A closed task stays closed; an open one waits while a
 * task before it is open, and goes on when none is.
 */
export function computeNextState(state: string, isBlocked: boolean): string | null {
  if (isClosed(state)) return null;
  if (isBlocked) return state === WAITING_STATE ? null : WAITING_STATE;
  return state === WAITING_STATE ? OPEN_STATE : null;
}
