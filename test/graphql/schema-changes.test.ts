import { expect, test } from 'vitest';
import { describeChanges } from '../../scripts/schema/changes.ts';

const BEFORE = `
  directive @auth(requires: [String!]!) on FIELD_DEFINITION
  type Query { lead(id: ID!): Lead leads(order: LeadOrder): [Lead!]! @auth(requires: ["USER"]) }
  type Lead { id: ID! name: String! fax: String state: State partner: Partner phone(first: Int = 1): String }
  type Partner { name: String }
  type Company { name: String }
  union Customer = Partner
  enum State { OPEN WON }
  enum LeadOrder { NAME }
  input LeadInput { name: String }
`;

test.each([
  ['fax: String', '', '### Removed (breaking)\n\n- `Lead.fax was removed.`'],
  ['OPEN WON', 'OPEN', '### Removed (breaking)\n\n- `WON was removed from enum type State.`'],
  ['fax: String', 'fax: Int', '### Changed (breaking)\n\n- `Lead.fax changed type from String to Int.`'],
  [
    'lead(id: ID!)',
    'lead(id: ID!, company: ID!)',
    '### Changed (breaking)\n\n- `A required arg company on Query.lead was added.`',
  ],
  [
    'input LeadInput { name: String }',
    'input LeadInput { name: String code: Int! }',
    '### Changed (breaking)\n\n- `A required field code on input type LeadInput was added.`',
  ],
  ['OPEN WON', 'OPEN WON LOST', '### Changed (may affect clients)\n\n- `State`: `LOST`'],
  ['= Partner', '= Partner | Company', '### Changed (may affect clients)\n\n- `Customer`: `| Company`'],
  [
    'first: Int = 1',
    'first: Int = 2',
    '### Changed (may affect clients)\n\n- `Lead.phone(first:)` changed its default value from `1` to `2`',
  ],
  [
    '["USER"]',
    '["TEAM"]',
    '### Changed (may affect clients)\n\n- `Query.leads` changed its policy from `@auth(requires: ["USER"])` ' +
      'to `@auth(requires: ["TEAM"])`',
  ],
  [
    'fax: String',
    'fax: String @deprecated(reason: "Use phone.")',
    '### Deprecated\n\n- `Lead.fax`: Use phone.',
  ],
  [
    'fax: String',
    'fax: String email: String web(kind: Int): String',
    '### Added\n\n- `Lead`: `email: String`, `web(kind: Int): String`',
  ],
  ['enum LeadOrder { NAME }', 'enum LeadOrder { NAME ID }', '### Added\n\n- `LeadOrder`: `ID`'],
  [
    'input LeadInput { name: String }',
    'input LeadInput { name: String code: Int }',
    '### Added\n\n- `LeadInput`: `code: Int`',
  ],
  ['lead(id: ID!)', 'lead(id: ID!, at: Int)', '### Added\n\n- `Query`: `lead(at: Int)`'],
  ['enum State', 'type Tag { id: ID! name: String }\nenum State', '### Added\n\n- Type `Tag`'],
  ['fax: String', 'fax: String!', '### Changed\n\n- `Lead.fax` changed its type from `String` to `String!`'],
  ['lead(id: ID!)', 'lead(id: ID)', '### Changed\n\n- `Query.lead(id:)` changed its type from `ID!` to `ID`'],
  ['fax: String', '"A number" fax: String', 'The GraphQL schema has not changed.'],
])('describes the change from %s to %s', (from, to, text) => {
  expect(BEFORE).toContain(from);
  expect(describeChanges(BEFORE, BEFORE.replace(from, to))).toBe(text);
});

test('reports that a field is no longer deprecated', () => {
  const deprecated = BEFORE.replace('fax: String', 'fax: String @deprecated(reason: "Use phone.")');
  expect(describeChanges(deprecated, BEFORE)).toBe('### Changed\n\n- `Lead.fax` is no longer deprecated');
});

test('lists breaking changes first and sorts lines by type', () => {
  const after = BEFORE.replace('OPEN WON', 'OPEN')
    .replace('fax: String', 'email: String')
    .replace('type Company { name: String }', 'type Company { name: String code: String }')
    .replace('type Partner { name: String }', 'type Partner { title: String }');
  expect(describeChanges(BEFORE, after)).toBe(`### Removed (breaking)

- \`Lead.fax was removed.\`
- \`Partner.name was removed.\`
- \`WON was removed from enum type State.\`

### Added

- \`Company\`: \`code: String\`
- \`Lead\`: \`email: String\`
- \`Partner\`: \`title: String\``);
});
