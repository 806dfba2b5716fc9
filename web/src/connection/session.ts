/** True if the page's session has ended. Rejected requests wait until the user has signed in again. */
let isSignedOut = false;
const listeners = new Set<() => void>();

export const getSignedOut = (): boolean => isSignedOut;

export function addSessionListener(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function changeSession(next: boolean): void {
  if (isSignedOut === next) return;
  isSignedOut = next;
  for (const listener of [...listeners]) listener();
}

export const reportSignedIn = (): void => changeSession(false);

/** Reports that a request was rejected because the session has ended. Resolves after the next sign-in. */
export function waitForSignIn(): Promise<void> {
  changeSession(true);
  return new Promise((resolve) => {
    const removeListener = addSessionListener(() => {
      removeListener();
      resolve();
    });
  });
}
