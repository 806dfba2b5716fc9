import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { printProductSdl } from '../../scripts/schema/product-schema.ts';

// Types for the used parts of graphql-schema-linter, which ships none.
interface Complaint {
  ruleName: string;
  message: string;
  locations: { line: number }[];
}
interface Linter {
  configuration: {
    Configuration: new (
      schema: object,
      options: { rules: string[]; ignore: Record<string, string[]> },
    ) => { getRules(): { name: string }[] };
  };
  validator: {
    validateSchemaDefinition(schema: object, rules: object[], configuration: object): Complaint[];
  };
}
const linter = createRequire(import.meta.url)('graphql-schema-linter') as Linter;

const RULES = [
  'arguments-have-descriptions',
  'deprecations-have-a-reason',
  'descriptions-are-capitalized',
  'enum-values-all-caps',
  'enum-values-have-descriptions',
  'fields-are-camel-cased',
  'fields-have-descriptions',
  'input-object-values-are-camel-cased',
  'input-object-values-have-descriptions',
  'relay-connection-arguments-spec',
  'relay-connection-types-spec',
  'relay-page-info-spec',
  'types-are-capitalized',
  'types-have-descriptions',
];

/** Exceptions to rules (types, `Type.field` or `Type.field.argument`), each with the reason. */
const EXCEPTIONS: { rule: string; what: string; reason: string }[] = [];

function lintSchema(sdl: string): string[] {
  const sourceMap = { getOriginalPathForLine: () => 'schema.graphql' };
  const input = { definition: sdl, sourceMap };
  const ignore: Record<string, string[]> = {};
  for (const { rule, what } of EXCEPTIONS) ignore[rule] = [...(ignore[rule] ?? []), what];
  const configuration = new linter.configuration.Configuration(input, { rules: RULES, ignore });
  const rules = configuration.getRules();
  expect(rules).toHaveLength(RULES.length);
  const lines = sdl.split('\n');
  return linter.validator
    .validateSchemaDefinition(input, rules, configuration)
    .map(({ ruleName, message, locations }) => {
      const line = locations[0]!.line;
      return `${ruleName}: ${message} (line ${line}: ${lines[line - 1]!.trim().slice(0, 60)})`;
    });
}

test('the schema follows the rules of graphql-schema-linter, including Relay and descriptions', () => {
  expect(lintSchema(printProductSdl())).toEqual([]);
});

test('names enum values by words', () => {
  expect(printProductSdl().match(/^ +_*\d\w*$/gm)).toBeNull();
});

test('detects violations', () => {
  const complaintsFound = lintSchema(`
    type Query { things: ThingConnection! }
    type ThingConnection { nodes: [String!]! }
  `);
  for (const rule of [
    'relay-connection-types-spec',
    'relay-connection-arguments-spec',
    'fields-have-descriptions',
  ])
    expect(
      complaintsFound.some((complaint) => complaint.startsWith(rule)),
      rule,
    ).toBe(true);
});

test('states a reason for every exception', () => {
  for (const { rule, what, reason } of EXCEPTIONS) {
    expect(RULES, what).toContain(rule);
    expect(reason.length, what).toBeGreaterThan(20);
  }
});
