import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnvFile } from '../../config.ts';

export interface ExternalApp {
  name: string;
  /** Absolute path. */
  path: string;
  entry: string;
}

/** A problem with APPS_DIR, described for the operator. */
export class AppsError extends Error {
  override name = 'AppsError';
}

/**
 * Returns the absolute path of APPS_DIR, or null if it is not set. Reads the environment directly, because it is called
 * before the settings are loaded.
 * @throws AppsError if the path is not a folder
 */
export function findAppsFolder(): string | null {
  const appsDir = (process.env.APPS_DIR ?? parseEnvFile().APPS_DIR ?? '').trim();
  if (appsDir === '') return null;
  const folder = resolve(appsDir);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new AppsError(`APPS_DIR is not a folder: ${folder}`);
  // Node resolves symbolic links in module paths, so they must be resolved here too.
  return realpathSync(folder);
}

/**
 * Lists the app folders in APPS_DIR.
 * @throws AppsError if it contains none
 */
export function listExternalApps(folder = findAppsFolder()): ExternalApp[] {
  if (folder === null) return [];
  const apps = readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const entry = ENTRY_FILES.map((file) => join(path, file)).find((file) => existsSync(file));
      return entry === undefined ? [] : [{ name, path, entry }];
    });
  if (apps.length === 0)
    throw new AppsError(`APPS_DIR contains no app, which is a folder with an app.ts: ${folder}`);
  return apps;
}

const ENTRY_FILES = ['app.ts', 'app.js'];
