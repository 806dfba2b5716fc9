import { reloadForNewBuild } from './reload.ts';
import { retryUnreachable } from './retry.ts';
import { getConnection } from './server.ts';

/**
 * Loads a module of the application. Waits while the server is unreachable. If the server has a new build, the page
 * reloads, because the file may no longer exist.
 */
export async function loadModule<Module>(load: () => Promise<Module>): Promise<Module> {
  let isRetry = false;
  try {
    return await retryUnreachable(() => {
      if (isRetry && getConnection().hasNewBuild) return reloadForNewBuild();
      isRetry = true;
      return load();
    });
  } catch (cause) {
    // Replaces the browser's message, because the router reloads the page if it recognizes that message.
    throw new Error('A file of the application could not be loaded.', { cause });
  }
}
