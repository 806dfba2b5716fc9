import { buildSchema, getVariableValues, type OperationDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { coerceVariables } from '../../src/engine/operation/coerce.ts';
import { createSeededRandom } from '../rpc/seeded.ts';

const SEED = Date.now() % 1_000_000;
const schema = buildSchema(`
  enum Color { RED GREEN }
  input Leaf { a: Int!, b: String = "default", c: [Float!], d: Color, e: Boolean, f: ID }
  input Tree { name: String!, leaf: Leaf, leaves: [Leaf!]! = [], below: Tree, colors: [[Color]] }
  input Only @oneOf { a: Int, b: String }
  type Query { x: Int }
`);
const { variableDefinitions } = parse(
  'query ($i: Int, $n: Int! = 3, $s: String, $t: Tree, $ts: [Tree!], $o: Only, $c: Color!, $l: [Leaf]) { x }',
).definitions[0] as OperationDefinitionNode;

const random = createSeededRandom(SEED);
const randomBelow = (n: number) => Math.floor(random() * n);
const pickOne = <T>(list: T[]): T => list[randomBelow(list.length)]!;
const ODD_VALUES = [
  null,
  undefined,
  '',
  'x',
  0,
  1,
  2 ** 40,
  1.5,
  Number.NaN,
  true,
  [],
  {},
  'RED',
  'BLUE',
  new Date(0),
  new Set([1]),
];

/** Returns a valid value in most cases, otherwise any value. */
const makeOrOdd = <T>(make: () => T): unknown => (randomBelow(12) === 0 ? pickOne(ODD_VALUES) : make());
const makeOptionalField = (name: string, make: () => unknown): object =>
  randomBelow(3) === 0 ? {} : { [name]: makeOrOdd(make) };
const makeList = (make: () => unknown) => () => Array.from({ length: randomBelow(3) }, () => makeOrOdd(make));
const pickColor = () => pickOne(['RED', 'GREEN']);
const makeLeaf = (): unknown => ({
  a: makeOrOdd(() => randomBelow(9)),
  ...makeOptionalField('b', () => 'text'),
  ...makeOptionalField(
    'c',
    makeList(() => 1.5),
  ),
  ...makeOptionalField('d', pickColor),
  ...makeOptionalField('e', () => true),
  ...makeOptionalField('f', () => pickOne<unknown>(['1', 2])),
  ...(randomBelow(20) === 0 && { unknown: pickOne(ODD_VALUES) }),
  ...(randomBelow(30) === 0 && { __proto__: { a: 1 } }),
});
const makeTree = (depth = 0): unknown => ({
  name: makeOrOdd(() => 'n'),
  ...makeOptionalField('leaf', makeLeaf),
  ...makeOptionalField('leaves', makeList(makeLeaf)),
  ...(depth < 3 && makeOptionalField('below', () => makeTree(depth + 1))),
  ...makeOptionalField('colors', makeList(makeList(pickColor))),
});

test('coerces values, adds defaults and reports errors as graphql does', () => {
  let fine = 0;
  for (let round = 0; round < 3_000; round++) {
    const input = {
      ...makeOptionalField('i', () => randomBelow(9)),
      ...makeOptionalField('n', () => 4),
      ...makeOptionalField('s', () => 's'),
      ...makeOptionalField('t', makeTree),
      ...makeOptionalField('ts', makeList(makeTree)),
      ...makeOptionalField('o', () => ({ a: 1 })),
      c: makeOrOdd(pickColor),
      ...makeOptionalField('l', makeList(makeLeaf)),
    };
    const expected = getVariableValues(schema, variableDefinitions!, input, { maxErrors: 1 });
    const result = coerceVariables(schema, variableDefinitions!, input);
    expect(result, `seed ${SEED}, round ${round}`).toEqual(expected);
    if (result.coerced) {
      fine++;
      for (const [name, value] of Object.entries(result.coerced))
        if (value && typeof value === 'object' && !Array.isArray(value))
          expect(Object.getPrototypeOf(value)).toBe(Object.getPrototypeOf(expected.coerced![name]));
    }
  }
  expect(fine).toBeGreaterThan(100);
});
