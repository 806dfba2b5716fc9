import { canReload } from './connection.ts';
import { changeConnection, checkNow, waitForServer } from './server.ts';

// Reloads the page, or leaves the application. Waits for the server first, because the browser would otherwise replace
// the application with its own error page.

const STORAGE_KEY = 'atrium.reloaded';

export async function reloadPage(): Promise<void> {
  await checkAndWait();
  location.reload();
}

export async function leavePage(path: string): Promise<void> {
  await checkAndWait();
  location.assign(path);
}

/**
 * Reloads the page. If there are unsaved changes, asks the user to reload instead. The promise never resolves.
 * @throws if the page has just been reloaded
 */
export async function reloadForNewBuild(): Promise<never> {
  const isDirty = hasUnsavedChanges();
  if (canReload(Date.now(), Number(sessionStorage.getItem(STORAGE_KEY)), isDirty)) {
    sessionStorage.setItem(STORAGE_KEY, String(Date.now()));
    location.reload();
  } else if (isDirty) changeConnection({ kind: 'reloadNeeded' });
  else throw new Error('The page has just been reloaded.');
  return new Promise(() => {});
}

/** Opens the sign-in page, which explains that the session has ended and then returns to this page. */
export const leaveForSignIn = (): Promise<void> =>
  leavePage(`/login?ended=1&next=${encodeURIComponent(location.pathname + location.search)}`);

/** Checks immediately instead of at the next scheduled check, because the user requested it. */
function checkAndWait(): Promise<boolean> {
  const serverReady = waitForServer();
  checkNow();
  return serverReady;
}

/** Returns true if a `beforeunload` handler would ask for confirmation. */
const hasUnsavedChanges = (): boolean => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
