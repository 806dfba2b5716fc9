import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buildProductSchema, printProductSdl } from '../schema/product-schema.ts';
import { generateOperationTypes } from './declared-operations.ts';
import { writeOperationTypes } from './operation-types.ts';

// Writes generated files for compilers, tests and editors. Git ignores these files. scripts/setup.mjs runs this script
// when an input has changed.

const root = join(import.meta.dirname, '../..');

/** Skips unchanged files, so that file watchers are not triggered. */
function writeIfChanged(path: string, text: string): void {
  const file = join(root, path);
  if (readIfExists(file) === text) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

writeIfChanged('boot/operations.ts', generateOperationTypes(root));
writeIfChanged('schema/schema.graphql', printProductSdl());
await writeOperationTypes(buildProductSchema(), root, writeIfChanged);
