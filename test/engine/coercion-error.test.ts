import { buildSchema, getVariableValues, type OperationDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { describeCoercionError } from '../../src/engine/operation/coercion-error.ts';

const schema = buildSchema(`
  enum Kind { A B }
  input Rule { name: String!, kinds: [Kind!], size: Int, more: [Rule!] }
  type Query { x(id: ID, folderId: Int!, rule: Rule, amount: Float, on: Boolean, text: String): Int }
`);
const { definitions } = parse(
  'query ($id: ID, $folderId: Int!, $rule: Rule, $amount: Float, $on: Boolean, $text: String) { __typename }',
);
const { variableDefinitions } = definitions[0] as OperationDefinitionNode;

const describeError = (values: Record<string, unknown>): string => {
  const { errors } = getVariableValues(schema, variableDefinitions!, { folderId: 1, ...values });
  return describeCoercionError(errors![0]!.message, (name) => (name === 'folderId' ? 'folder_id' : name));
};

test.each([
  [{ folderId: undefined }, "The argument 'folder_id' must not be null."],
  [{ folderId: null }, "The argument 'folder_id' must not be null."],
  [{ folderId: 1.5 }, "The argument 'folder_id' must be an integer of at most 32 bits."],
  [{ folderId: 2 ** 40 }, "The argument 'folder_id' must be an integer of at most 32 bits."],
  [{ amount: 'x" at "y"; z' }, "The argument 'amount' must be a number."],
  [{ text: 7 }, "The argument 'text' must be a string."],
  [{ text: ['a'] }, "The argument 'text' must be a string."],
  [{ on: 'yes' }, "The argument 'on' must be true or false."],
  [{ id: 1.5 }, "The argument 'id' must be an id."],
  [{ rule: 'x' }, "The argument 'rule' must be an object."],
  [{ rule: {} }, "The argument 'rule.name' is required."],
  [{ rule: { name: null } }, "The argument 'rule.name' must not be null."],
  [{ rule: { name: 'a', extra: 1 } }, "Unknown argument 'rule.extra'."],
  [{ rule: { name: 'a', more: [{ name: 'b', size: 'c' }] } }, "'rule.more[0].size' must be an integer"],
  [{ rule: { name: 'a', kinds: ['A', 'C'] } }, `The argument 'rule.kinds[1]' does not allow "C".`],
  [{ rule: { name: 'a', kinds: [7] } }, "The argument 'rule.kinds[0]' does not allow 7."],
])('describes the error of %j without GraphQL terms', (values, expected) => {
  const message = describeError(values);
  expect(message).toContain(expected);
  expect(message).not.toMatch(/Variable|\$|type "|Int\b|enum/i);
});

test('leaves other messages unchanged', () => {
  expect(describeCoercionError('Too many errors processing variables.', (name) => name)).toBe(
    'Too many errors processing variables.',
  );
});
