// Hashes and comparisons of files on disk.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** Hashes the relative path and content of every file below a folder that `counts` accepts, sorted by path. */
export function treeHash(folder, counts) {
  const hash = createHash('sha256');
  for (const file of filesBelow(folder, counts))
    hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

/**
 * Returns true if npm's own record of node_modules contains every package of the lock file. In that case, `npm install`
 * or `npm ci` was run manually, and another installation would only take time. Packages for other platforms may be
 * missing.
 */
export function installedPackages(lockText, recordText) {
  if (!lockText || !recordText) return false;
  const wanted = JSON.parse(lockText).packages;
  const present = JSON.parse(recordText).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.link) return true;
    const found = present[path];
    return found ? found.version === entry.version : entry.optional === true && isForSome(entry);
  });
}

const isForSome = ({ os, cpu, libc }) => Boolean(os ?? cpu ?? libc);

/** Relative paths of the files below a folder that `counts` accepts, without packages. */
export function filesBelow(folder, counts, prefix = '') {
  // The folder of the apps can be a symbolic link, so links are followed.
  return readdirSync(join(folder, prefix))
    .filter((name) => name !== 'node_modules')
    .sort()
    .map((name) => join(prefix, name))
    .flatMap((path) => {
      if (statSync(join(folder, path)).isDirectory()) return filesBelow(folder, counts, path);
      return counts(path) ? [path] : [];
    });
}
