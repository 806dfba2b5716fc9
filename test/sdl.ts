import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSchema, findBreakingChanges, parse, print, visit } from 'graphql';
import { sdlOf } from '../facades/graphql/sdl.ts';
import { buildProduct } from '../schema/index.ts';
import { getDatamodel } from '../src/db/generated/pothos.ts';
import type { Datamodel } from '../src/engine/model/datamodel.ts';

// The text of the GraphQL schema in the repository, and what a change of it breaks.
//   node test/sdl.ts            fails if the text is stale, or breaks clients without an entry in the changelog
//   node test/sdl.ts --write    writes the text (npm run schema)
//   node test/sdl.ts --release  also makes it what later changes are compared with (for a release)

const root = join(import.meta.dirname, '..');
/** The schema as it is, with descriptions and policies. */
export const SCHEMA = 'schema/schema.graphql';
/** The schema of the last release, without descriptions. */
export const RELEASED = 'schema/released.graphql';
const HEADING = '### Breaking changes in GraphQL';

const read = (path: string): string =>
  existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : '';

/** The text of the product's schema. */
export function currentSdl(): string {
  const { schema } = buildProduct((getDatamodel() as unknown as { datamodel: Datamodel }).datamodel);
  return `${sdlOf(schema)}\n`;
}

/** A schema's text as it is compared: types and their parts alone. */
export const withoutDescriptions = (sdl: string): string =>
  `${print(visit(parse(sdl), { enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined) }))}\n`;

/** What clients of `before` cannot rely on in `after`, in the words of graphql-js. */
export const breakingChanges = (before: string, after: string): string[] =>
  findBreakingChanges(buildSchema(before), buildSchema(after)).map(({ description }) => description);

/** Lines under the heading of the unreleased version, such as `` - `Partner.fax was removed.` Nobody used it. `` */
export function listedChanges(changelog: string): string[] {
  const unreleased = changelog.split(/^## \[Unreleased\]\n/m)[1]?.split(/^## /m)[0] ?? '';
  const section = unreleased.split(`${HEADING}\n`)[1]?.split(/^### /m)[0] ?? '';
  return [...section.matchAll(/^- `([^`]+)`/gm)].map(([, change]) => change!);
}

/** Changes that no line lists; `*` in a line stands for any text. */
export function unlistedChanges(changes: readonly string[], listed: readonly string[]): string[] {
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

/** Mistakes of the repository as it stands. */
export function schemaMistakes(): string[] {
  const sdl = currentSdl();
  const stale = read(SCHEMA) === sdl ? [] : [`${SCHEMA} is stale: run npm run schema, and commit it.`];
  const changes = breakingChanges(read(RELEASED), sdl);
  const unlisted = unlistedChanges(changes, listedChanges(read('CHANGELOG.md')));
  return [
    ...stale,
    ...unlisted.map(
      (change) => `breaks clients; list it in CHANGELOG.md under "${HEADING}": - \`${change}\``,
    ),
  ];
}

function main(flags: readonly string[]): void {
  if (flags.includes('--write') || flags.includes('--release')) {
    const sdl = currentSdl();
    writeFileSync(join(root, SCHEMA), sdl);
    if (flags.includes('--release')) writeFileSync(join(root, RELEASED), withoutDescriptions(sdl));
  }
  const mistakes = schemaMistakes();
  for (const mistake of mistakes) console.error(`GraphQL schema: ${mistake}`);
  console.log(`GraphQL schema: ${mistakes.length || 'no'} mistakes`);
  process.exitCode = mistakes.length > 0 ? 1 : 0;
}

if (import.meta.main) main(process.argv.slice(2));
