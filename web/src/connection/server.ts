import {
  CONNECTED,
  type Connection,
  type ConnectionEvent,
  getRetryDelay,
  reduceConnection,
} from './connection.ts';

// Polls the server from the first failed request until it responds.

const CHECK_TIMEOUT_MS = 10_000;

let connection = CONNECTED;
let timer: ReturnType<typeof setTimeout> | undefined;
let isChecking = false;
const listeners = new Set<() => void>();

export const getConnection = (): Connection => connection;

/** Listens for the browser's connection events. Called once per page. */
export function watchConnection(): void {
  addEventListener('offline', reportFailure);
  addEventListener('online', () => connection.phase !== 'connected' && checkNow());
  document.addEventListener(
    'visibilitychange',
    () => document.visibilityState === 'visible' && connection.phase === 'lost' && checkNow(),
  );
  // A failed style sheet would stay in the document, and the next attempt would treat it as loaded.
  addEventListener('error', ({ target }) => target instanceof HTMLLinkElement && target.remove(), true);
}

export function changeConnection(event: ConnectionEvent): void {
  const before = connection;
  connection = reduceConnection(connection, event);
  if (connection !== before) for (const listener of [...listeners]) listener();
}

/** Reports that a request received no response. Checks the server immediately unless a check is already scheduled. */
export function reportFailure(): void {
  changeConnection({ kind: 'requestFailed' });
  if (!timer) void checkServer();
}

export function checkNow(): void {
  clearTimeout(timer);
  timer = undefined;
  void checkServer();
}

/**
 * Waits until the server answers. Returns true if it did not respond to the first check.
 * @throws the reason of an aborted signal
 */
export function waitForServer(signal?: AbortSignal | null): Promise<boolean> {
  let wasLost = connection.phase === 'lost';
  return new Promise((resolve, reject) => {
    const end = () => {
      removeListener();
      signal?.removeEventListener('abort', abort);
    };
    const abort = () => {
      end();
      reject(signal!.reason);
    };
    const removeListener = addConnectionListener(() => {
      wasLost ||= connection.phase === 'lost';
      if (connection.phase !== 'connected') return;
      end();
      resolve(wasLost);
    });
    signal?.addEventListener('abort', abort);
    reportFailure();
  });
}

export function addConnectionListener(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

async function checkServer(): Promise<void> {
  if (isChecking) return;
  isChecking = true;
  const page = await requestPage();
  isChecking = false;
  if (page) changeConnection({ kind: 'answered', hasNewBuild: page.hasNewBuild });
  else {
    changeConnection({ kind: 'unanswered' });
    clearTimeout(timer);
    timer = setTimeout(checkNow, getRetryDelay(connection.attempts));
  }
}

interface ServedPage {
  /** True if the served page loads a different script than the current page. */
  hasNewBuild: boolean;
  /** True if the server redirects to the sign-in page. */
  isSignedOut: boolean;
}

/** Requests the application's page. Returns null if there is no response. */
export async function requestPage(): Promise<ServedPage | null> {
  try {
    const signal = AbortSignal.timeout(CHECK_TIMEOUT_MS);
    const response = await fetch('/app/', { cache: 'no-store', redirect: 'manual', signal });
    if (isUnavailable(response)) return null;
    const script = document.querySelector<HTMLScriptElement>('script[type="module"][src]');
    return {
      hasNewBuild: response.ok && !(await response.text()).includes(new URL(script!.src).pathname),
      isSignedOut: response.type === 'opaqueredirect',
    };
  } catch {
    return null;
  }
}

/** True if the response comes from a proxy whose server is unreachable. The server itself responds with JSON. */
export const isUnavailable = ({ status, headers }: Response): boolean =>
  status >= 502 && status <= 504 && !headers.get('content-type')?.includes('json');
