// What is on disk, reduced to something that can be compared.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export function sha256(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** Hash of the relative path and content of every file below a folder that counts, by its path. */
export function treeHash(folder, counts) {
  const hash = createHash('sha256');
  for (const file of filesBelow(folder, counts))
    hash.update(`${file}\0`).update(readFileSync(join(folder, file)));
  return hash.digest('hex');
}

/**
 * Whether npm's own record of node_modules already holds every package the lock file wants. Then somebody ran
 * `npm install` or `npm ci` by hand and installing again would only cost time. Packages for other platforms may be
 * absent.
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

/** Relative paths of the files below a folder that count; packages do not. */
export function filesBelow(folder, counts, prefix = '') {
  // The folder of the apps is a link, so what it leads to is asked.
  return readdirSync(join(folder, prefix))
    .filter((name) => name !== 'node_modules')
    .sort()
    .map((name) => join(prefix, name))
    .flatMap((path) => {
      if (statSync(join(folder, path)).isDirectory()) return filesBelow(folder, counts, path);
      return counts(path) ? [path] : [];
    });
}
