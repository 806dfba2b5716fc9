import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function computeSha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

export function computeTreeHash(folder, accepts) {
  const hash = createHash('sha256');
  for (const file of listFiles(folder, accepts))
    hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

/**
 * Returns true if npm's record of node_modules contains every package in the lock file, because `npm install` or `npm
 * ci` was run manually. Packages for other platforms may be missing.
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

/** Lists the relative paths of the files below a folder, without packages. */
export function listFiles(folder, accepts, prefix = '') {
  // Follows links, because the apps folder can be a symbolic link.
  return readdirSync(join(folder, prefix))
    .filter((name) => name !== 'node_modules')
    .sort()
    .map((name) => join(prefix, name))
    .flatMap((path) => {
      if (statSync(join(folder, path)).isDirectory()) return listFiles(folder, accepts, path);
      return accepts(path) ? [path] : [];
    });
}
