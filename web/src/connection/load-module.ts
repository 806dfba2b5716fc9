import { reloadForNewBuild } from './reload.ts';
import { retryUnreachable } from './retry.ts';
import { getConnection } from './server.ts';

/** Maximum number of retries while no screen is displayed, after which an error is displayed. */
const MAX_FIRST_RETRIES = 2;

/**
 * Loads a module of the application. Retries until the module is loaded if a screen is displayed meanwhile. If the
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

const getMaxRetries = (): number => (document.querySelector('h1') ? Infinity : MAX_FIRST_RETRIES);
