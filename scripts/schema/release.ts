import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { toCompactSdl } from './compact.ts';
import { printProductSdl } from './product-schema.ts';

// `npm run schema:release` stores the GraphQL schema of a release. Later changes are compared with it.

/** Does not exist before the first release. */
export const RELEASE_FILE = 'schema/release.graphql';

export function readReleasedSdl(root: string): string | null {
  const file = join(root, RELEASE_FILE);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

if (import.meta.main) {
  writeFileSync(join(import.meta.dirname, '../..', RELEASE_FILE), toCompactSdl(printProductSdl()));
  console.log(`wrote ${RELEASE_FILE}`);
}
