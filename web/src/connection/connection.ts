/** State of the connection to the server, and of the build that the server provides. */
export interface Connection {
  /** `checking` after a failed request, until a check has finished. */
  phase: 'connected' | 'checking' | 'lost';
  /** Number of unanswered checks since the last response. */
  attempts: number;
  /** True if the server serves another build. Files that this page has not loaded yet may no longer exist. */
  hasNewBuild: boolean;
  /** True if the page needs the new build, but a reload would lose unsaved changes. */
  needsReload: boolean;
  /** Number of requests that fail and are retried although the server responds to checks. */
  retries: number;
}

export type ConnectionEvent =
  | { kind: 'requestFailed' }
  | { kind: 'answered'; hasNewBuild: boolean }
  | { kind: 'unanswered' }
  | { kind: 'reloadNeeded' }
  | { kind: 'retryStarted' }
  | { kind: 'retryEnded' };

export const CONNECTED: Connection = {
  phase: 'connected',
  attempts: 0,
  hasNewBuild: false,
  needsReload: false,
  retries: 0,
};

export function reduceConnection(state: Connection, event: ConnectionEvent): Connection {
  switch (event.kind) {
    case 'requestFailed':
      return state.phase === 'connected' ? { ...state, phase: 'checking' } : state;
    case 'answered':
      return {
        ...state,
        phase: 'connected',
        attempts: 0,
        hasNewBuild: state.hasNewBuild || event.hasNewBuild,
      };
    case 'unanswered':
      return { ...state, phase: 'lost', attempts: state.attempts + 1 };
    case 'reloadNeeded':
      return { ...state, needsReload: true };
    case 'retryStarted':
      return { ...state, retries: state.retries + 1 };
    case 'retryEnded':
      return { ...state, retries: state.retries - 1 };
  }
}

const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 30_000;

/**
 * Returns the delay before the next attempt in milliseconds. It doubles with each attempt.
 * @param spread between 0 and 1; random by default, so that pages don't reconnect to a restarted server all at once
 */
export const getRetryDelay = (attempts: number, spread = Math.random()): number =>
  Math.min(MIN_RETRY_MS * 2 ** (attempts - 1), MAX_RETRY_MS) * (0.75 + spread / 4);

/** Two servers may provide different builds, so automatic reloads need this pause. */
const MIN_RELOAD_INTERVAL_MS = 60_000;

/** True if the page may reload without asking the user. */
export const canReload = (now: number, lastReload: number, hasUnsavedChanges: boolean): boolean =>
  !hasUnsavedChanges && now - lastReload >= MIN_RELOAD_INTERVAL_MS;
