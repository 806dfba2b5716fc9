import { lstatSync, readdirSync, watch } from 'node:fs';
import { join } from 'node:path';

const SKIPPED = /^(?:\.|node_modules$|generated$|composed$)/;

/**
 * Calls `onChange` with the path of each file that changes below a folder. Every folder has a separate watcher: on
 * Linux, Node's recursive watcher misses files that an editor replaces.
 */
export function watchTree(folder, onChange, isNew = false) {
  const watcher = watch(folder, (event, name) => {
    if (!name || SKIPPED.test(name)) return;
    const path = join(folder, name);
    if (event === 'rename' && isFolder(path)) watchTree(path, onChange, true);
    else onChange(path);
  });
  watcher.on('error', () => watcher.close());
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.test(entry.name)) watchTree(path, onChange, isNew);
    // The file was written before the new folder's watcher was active.
    else if (isNew) onChange(path);
  }
}

const isFolder = (path) => lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
