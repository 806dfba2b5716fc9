import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSchema, findBreakingChanges, validateSchema } from 'graphql';
import { afterAll, expect, test } from 'vitest';
import {
  checkSchema,
  findBreakingLines,
  findUnlistedChanges,
  parseListedChanges,
} from '../../scripts/schema/check.ts';
import { toCompactSdl } from '../../scripts/schema/compact.ts';
import { printProductSdl } from '../../scripts/schema/product-schema.ts';

const sdl = printProductSdl();

test('the schema has no breaking change that is missing from the changelog', () => {
  expect(checkSchema('.', () => sdl).mistakes).toEqual([]);
});

test('the schema text is valid and shows policies', () => {
  expect(validateSchema(buildSchema(sdl))).toEqual([]);
  expect(sdl).toMatch(/^ {2}\w+.*@auth\(requires: \["USER"\]\) @scope\(name: "read"\)/m);
});

test('describes the same schema in the release text, with one line per definition', () => {
  const text = toCompactSdl(sdl);
  expect(text).not.toContain('"""');
  expect(text.split('\n').length).toBeLessThan(3_000);
  expect(text).toMatch(/^type Query\{.*@auth\(requires:\["USER"\]\)@scope\(name:"read"\)/m);
  const [full, compact] = [buildSchema(sdl), buildSchema(text)];
  expect(findBreakingChanges(full, compact)).toEqual([]);
  expect(findBreakingChanges(compact, full)).toEqual([]);
  expect(toCompactSdl(text)).toBe(text);
});

test('sorts definitions in the release text but not lists in default values', () => {
  const text = toCompactSdl(`
    "Roots"
    type Query { b(two: [E!] = [Z, A], one: Int): Int @deprecated(reason: "Use a."), "First" a: Int }
    enum E { Z A }
  `);
  expect(text).toBe(
    'enum E{A Z}\ntype Query{a:Int b(one:Int two:[E!]=[Z A]):Int@deprecated(reason:"Use a.")}\n',
  );
});

const BEFORE = `
  type Query { lead(id: ID!): Lead }
  type Lead { id: ID! name: String! fax: String state: State }
  enum State { OPEN WON }
  input LeadInput { name: String }
`;

const repository = mkdtempSync(join(tmpdir(), 'atrium-release-'));
afterAll(() => rmSync(repository, { recursive: true, force: true }));

test('reports that there is nothing to compare with before the first release', () => {
  const { mistakes, summary } = checkSchema(repository, () => BEFORE);
  expect([mistakes, summary]).toEqual([[], expect.stringContaining('no release to compare with')]);
});

test('requires a changelog line for a breaking change after a release', () => {
  const inRepository = (path: string, text: string) => writeFileSync(join(repository, path), text);
  mkdirSync(join(repository, 'schema'));
  inRepository('schema/release.graphql', toCompactSdl(BEFORE));
  inRepository('CHANGELOG.md', '## [Unreleased]\n');
  const buildWithoutFax = () => BEFORE.replace('fax: String', '');
  expect(checkSchema(repository, () => BEFORE).mistakes).toEqual([]);
  expect(checkSchema(repository, buildWithoutFax).mistakes).toEqual([
    'breaks clients; list it in CHANGELOG.md under "### Breaking changes in GraphQL": - `Lead.fax was removed.`',
  ]);
  inRepository(
    'CHANGELOG.md',
    '## [Unreleased]\n\n### Breaking changes in GraphQL\n\n- `Lead.fax was removed.` Use `phone`.\n',
  );
  expect(checkSchema(repository, buildWithoutFax).mistakes).toEqual([]);
});
test.each([
  ['a removed field', 'fax: String', '', ['Lead.fax was removed.']],
  ['a changed type', 'fax: String', 'fax: Int', ['Lead.fax changed type from String to Int.']],
  ['a removed enum value', 'OPEN WON', 'OPEN', ['WON was removed from enum type State.']],
  [
    'a newly required input field',
    'input LeadInput { name: String }',
    'input LeadInput { name: String! }',
    ['LeadInput.name changed type from String to String!.'],
  ],
  [
    'a newly required argument',
    'fax: String',
    'fax(country: String!): String',
    ['A required arg country on Lead.fax was added.'],
  ],
  ['a new field', 'fax: String', 'fax: String phone: String', []],
  ['a field that is no longer nullable', 'fax: String', 'fax: String!', []],
])('%s', (_name, from, to, changes) => {
  expect(findBreakingLines(BEFORE, BEFORE.replace(from, to))).toEqual(changes);
});

test('accepts * as a wildcard in changelog entries', () => {
  const changelog = `# Changelog

## [Unreleased]

### Added

- \`Lead.name was removed.\` is under another heading.

### Breaking changes in GraphQL

- \`Lead.fax was removed.\` Nobody used it.
- \`Query.* changed type from *.\` Lists are connections.

### Fixed

- \`Lead.id was removed.\`

## [0.1.0]

### Breaking changes in GraphQL

- \`Lead.old was removed.\`
`;
  const listed = parseListedChanges(changelog);
  expect(listed).toEqual(['Lead.fax was removed.', 'Query.* changed type from *.']);
  const changes = [
    'Lead.fax was removed.',
    'Lead.faxes was removed.',
    'Lead.name was removed.',
    'Query.leads changed type from [Lead!]! to LeadConnection!.',
  ];
  expect(findUnlistedChanges(changes, listed)).toEqual(['Lead.faxes was removed.', 'Lead.name was removed.']);
});
