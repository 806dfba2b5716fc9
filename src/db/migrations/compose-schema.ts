import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { composedFolder, readSchema, schemaFolder } from './migration-files.ts';
import { addOppositeFields } from './opposite-sides.ts';

// Writes the Prisma schema, including the apps in APPS_DIR, to a separate folder. Their relations need opposite sides
// in the built-in models, whose files must not change. scripts/setup.mjs generates the database client from the
// result.

rmSync(composedFolder, { recursive: true, force: true });
mkdirSync(composedFolder);
for (const { path, content } of readSchema().files) {
  // All apps use the same file name.
  const name = dirname(path) === schemaFolder ? basename(path) : `app-${basename(dirname(path))}.prisma`;
  writeFileSync(join(composedFolder, name), content);
}
addOppositeFields(composedFolder);
