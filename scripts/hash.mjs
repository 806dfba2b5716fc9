// Hashes and comparisons of files on disk.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function computeSha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** Hashes the relative path and content of every file below a folder that `accepts` accepts, sorted by path. */
export function computeTreeHash(folder, accepts) {
  const hash = createHash('sha256');
  for (const file of listFiles(folder, accepts))
    hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

/**
 * Returns true if npm's own record of node_modules contains every package of the lock file. In that case, `npm install`
 * or `npm ci` was run manually, and another installation would only take time. Packages for other platforms may be
 * missing.
 */
export function hasInstalledPackages(lockText, recordText) {
  if (!lockText || !recordText) return false;
  const lockedPackages = JSON.parse(lockText).packages;
  const installedPackages = JSON.parse(recordText).packages;
  return Object.entries(lockedPackages).every(([path, entry]) => {
    if (path === '' || entry.link) return true;
    const installed = installedPackages[path];
    return installed
      ? installed.version === entry.version
      : entry.optional === true && isPlatformSpecific(entry);
  });
}

const isPlatformSpecific = ({ os, cpu, libc }) => Boolean(os ?? cpu ?? libc);

/** Relative paths of the files below a folder that `accepts` accepts, without packages. */
export function listFiles(folder, accepts, prefix = '') {
  // The folder of the apps can be a symbolic link, so links are followed.
  return readdirSync(join(folder, prefix))
    .filter((name) => name !== 'node_modules')
    .sort()
    .map((name) => join(prefix, name))
    .flatMap((path) => {
      if (statSync(join(folder, path)).isDirectory()) return listFiles(folder, accepts, path);
      return accepts(path) ? [path] : [];
    });
}
