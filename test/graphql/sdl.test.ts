import { readFileSync } from 'node:fs';
import { buildSchema, validateSchema } from 'graphql';
import { expect, test } from 'vitest';
import {
  breakingChanges,
  currentSdl,
  listedChanges,
  RELEASED,
  SCHEMA,
  schemaMistakes,
  unlistedChanges,
  withoutDescriptions,
} from '../sdl.ts';

test('schema/schema.graphql is the schema, and breaks nothing that the changelog does not list', () => {
  // `npm run schema` writes it.
  expect(schemaMistakes()).toEqual([]);
});

test('the text is a valid schema that shows policies', () => {
  const sdl = readFileSync(SCHEMA, 'utf8');
  expect(validateSchema(buildSchema(sdl))).toEqual([]);
  expect(sdl).toMatch(/^ {2}\w+.*@auth\(requires: \["USER"\]\) @scope\(name: "read"\)/m);
  expect(sdl).toBe(currentSdl());
});

test('the released schema has no descriptions and can be read', () => {
  const released = readFileSync(RELEASED, 'utf8');
  expect(released).not.toContain('"""');
  expect(withoutDescriptions(released)).toBe(released);
});

const BEFORE = `
  type Query { lead(id: ID!): Lead }
  type Lead { id: ID! name: String! fax: String state: State }
  enum State { OPEN WON }
  input LeadInput { name: String }
`;

test.each([
  ['a field that is gone', 'fax: String', '', ['Lead.fax was removed.']],
  ['a type that changed', 'fax: String', 'fax: Int', ['Lead.fax changed type from String to Int.']],
  ['an enum value that is gone', 'OPEN WON', 'OPEN', ['WON was removed from enum type State.']],
  [
    'an input that is needed now',
    'input LeadInput { name: String }',
    'input LeadInput { name: String! }',
    ['LeadInput.name changed type from String to String!.'],
  ],
  [
    'an argument that is needed now',
    'fax: String',
    'fax(country: String!): String',
    ['A required arg country on Lead.fax was added.'],
  ],
  ['a field that is new', 'fax: String', 'fax: String phone: String', []],
  ['a value that is always there now', 'fax: String', 'fax: String!', []],
])('%s', (_name, from, to, changes) => {
  expect(breakingChanges(BEFORE, BEFORE.replace(from, to))).toEqual(changes);
});

test('a breaking change is allowed by its line in the changelog, where * stands for any text', () => {
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
  const listed = listedChanges(changelog);
  expect(listed).toEqual(['Lead.fax was removed.', 'Query.* changed type from *.']);
  const changes = [
    'Lead.fax was removed.',
    'Lead.faxes was removed.',
    'Lead.name was removed.',
    'Query.leads changed type from [Lead!]! to LeadConnection!.',
  ];
  expect(unlistedChanges(changes, listed)).toEqual(['Lead.faxes was removed.', 'Lead.name was removed.']);
});
