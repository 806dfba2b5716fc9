import { hasDisplayedScreen } from './first-screen.ts';
import { reloadForNewBuild } from './reload.ts';
import { retryUnreachable } from './retry.ts';
import { getConnection } from './server.ts';

/** Maximum number of retries before the first screen is displayed, after which an error is displayed. */
const MAX_FIRST_RETRIES = 2;

/**
 * Loads a module of the application. Retries until the module is loaded if a screen has been displayed. If the
 * server has a new build, the page reloads, because the file may no longer exist.
 */
export async function loadModule<Module>(load: () => Promise<Module>): Promise<Module> {
  let isRetry = false;
  const attempt = () => {
    if (isRetry && getConnection().hasNewBuild) return reloadForNewBuild();
    isRetry = true;
    return load();
  };
  try {
    return await retryUnreachable(attempt, null, getMaxRetries);
  } catch (cause) {
    // Replaces the browser's message, because the router reloads the page if it recognizes that message.
    throw new Error('A file of the application could not be loaded.', { cause });
  }
}

const getMaxRetries = (): number => (hasDisplayedScreen() ? Infinity : MAX_FIRST_RETRIES);
