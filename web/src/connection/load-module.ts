import { reloadForNewBuild } from './reload.ts';
import { retryUnreachable } from './retry.ts';
import { getConnection } from './server.ts';

/**
 * Loads a module of the application. Retries until the module is loaded. If the server has a new build, the page
 * reloads, because the file may no longer exist.
 */
export function loadModule<Module>(load: () => Promise<Module>): Promise<Module> {
  let isRetry = false;
  return retryUnreachable(() => {
    if (isRetry && getConnection().hasNewBuild) return reloadForNewBuild();
    isRetry = true;
    return load();
  });
}
