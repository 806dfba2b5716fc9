import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseEnvFile } from '../../config.ts';

/** An app that is kept outside of the product. */
export interface ExternalApp {
  /** Of the folder, and of the app. */
  name: string;
  /** Absolute. */
  path: string;
  /** The file that declares it. */
  entry: string;
}

/** What is wrong with APPS_DIR, in words for the operator. */
export class AppsError extends Error {
  override name = 'AppsError';
}

/**
 * Where APPS_DIR leads, absolute; null where it is not set. It is needed before the settings are read.
 * @throws AppsError when that is no folder
 */
export function findAppsFolder(): string | null {
  const given = (process.env.APPS_DIR ?? parseEnvFile().APPS_DIR ?? '').trim();
  if (given === '') return null;
  const folder = resolve(given);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new AppsError(`APPS_DIR is no folder: ${folder}`);
  // As modules see it.
  return realpathSync(folder);
}

/**
 * The folders of APPS_DIR that hold an app.
 * @throws AppsError when it holds none
 */
export function listExternalApps(folder = findAppsFolder()): ExternalApp[] {
  if (folder === null) return [];
  const found = readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const entry = ENTRY_FILES.map((file) => join(path, file)).find((file) => existsSync(file));
      return entry === undefined ? [] : [{ name, path, entry }];
    });
  if (found.length === 0)
    throw new AppsError(`APPS_DIR holds no app, which is a folder with an app.ts: ${folder}`);
  return found;
}

const ENTRY_FILES = ['app.ts', 'app.js'];
