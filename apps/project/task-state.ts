export const CLOSED_STATES = ['1_done', '1_canceled'];

const isClosed = (state: unknown): boolean => typeof state === 'string' && CLOSED_STATES.includes(state);

export const WAITING_STATE = '04_waiting_normal';
export const OPEN_STATE = '01_in_progress';

/**
 * Computes a task's next state, or null if it stays the same. A closed task stays closed. An open task waits while a
 * predecessor is open, and then becomes active again.
 */
export function computeNextState(state: string, isBlocked: boolean): string | null {
  if (isClosed(state)) return null;
  if (isBlocked) return state === WAITING_STATE ? null : WAITING_STATE;
  return state === WAITING_STATE ? OPEN_STATE : null;
}
