import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { composedFolder, readSchema, schemaFolder } from './migration-files.ts';
import { addOppositeSides } from './opposite-sides.ts';

// The schema with the apps of APPS_DIR, in a folder of its own: the other sides of their relations stand in models of
// the product, whose files stay as they are. scripts/setup.mjs has the database client generated from it.

rmSync(composedFolder, { recursive: true, force: true });
mkdirSync(composedFolder);
for (const { path, content } of readSchema().files) {
  // Each app calls its own by the same name.
  const name = dirname(path) === schemaFolder ? basename(path) : `app-${basename(dirname(path))}.prisma`;
  writeFileSync(join(composedFolder, name), content);
}
addOppositeSides(composedFolder);
