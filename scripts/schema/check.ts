import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, findBreakingChanges } from 'graphql';
import { printProductSdl } from './product-schema.ts';
import { RELEASE_FILE, readReleasedSdl } from './release.ts';

// Part of `npm run check`: fails if a change to the GraphQL schema breaks the last release's clients and the changelog
// does not list it.

const HEADING = '### Breaking changes in GraphQL';

/** Returns graphql-js's descriptions of the breaking changes. */
export const findBreakingLines = (before: string, after: string): string[] =>
  findBreakingChanges(buildSchema(before), buildSchema(after)).map(({ description }) => description);

/** Parses the changes listed for the unreleased version, such as `` - `Partner.fax was removed.` It was unused. `` */
export function parseListedChanges(changelog: string): string[] {
  const unreleased = changelog.split(/^## \[Unreleased\]\n/m)[1]?.split(/^## /m)[0] ?? '';
  const section = unreleased.split(`${HEADING}\n`)[1]?.split(/^### /m)[0] ?? '';
  return [...section.matchAll(/^- `([^`]+)`/gm)].map(([, change]) => change!);
}

/** Returns the changes that are not listed. `*` in a listed change matches any text. */
export function findUnlistedChanges(changes: readonly string[], listed: readonly string[]): string[] {
  const patterns = listed.map(
    (line) =>
      new RegExp(
        `^${line
          .split('*')
          .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*')}$`,
      ),
  );
  return changes.filter((change) => !patterns.some((pattern) => pattern.test(change)));
}

export function checkSchema(root: string, current: () => string): { mistakes: string[]; summary: string } {
  const released = readReleasedSdl(root);
  if (released === null)
    return { mistakes: [], summary: `no release to compare with (${RELEASE_FILE} does not exist)` };
  const changes = findBreakingLines(released, current());
  const listed = parseListedChanges(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'));
  const mistakes = findUnlistedChanges(changes, listed).map(
    (change) => `breaks clients; list it in CHANGELOG.md under "${HEADING}": - \`${change}\``,
  );
  return { mistakes, summary: `${mistakes.length || 'no'} unlisted breaking changes since the last release` };
}

if (import.meta.main) {
  const { mistakes, summary } = checkSchema(join(import.meta.dirname, '../..'), printProductSdl);
  for (const mistake of mistakes) console.error(`GraphQL schema: ${mistake}`);
  console.log(`GraphQL schema: ${summary}`);
  process.exitCode = mistakes.length > 0 ? 1 : 0;
}
