import { buildSchema, getVariableValues, type OperationDefinitionNode, parse } from 'graphql';
import { expect, test } from 'vitest';
import { coerceVariables } from '../../src/engine/verb/coerce.ts';
import { seeded } from '../rpc/seeded.ts';

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

const random = seeded(SEED);
const below = (n: number) => Math.floor(random() * n);
const oneOf = <T>(list: T[]): T => list[below(list.length)]!;
const ODD = [
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

/** Mostly what fits, sometimes anything. */
const often = <T>(make: () => T): unknown => (below(12) === 0 ? oneOf(ODD) : make());
const maybe = (name: string, make: () => unknown): object => (below(3) === 0 ? {} : { [name]: often(make) });
const listOf = (make: () => unknown) => () => Array.from({ length: below(3) }, () => often(make));
const color = () => oneOf(['RED', 'GREEN']);
const leaf = (): unknown => ({
  a: often(() => below(9)),
  ...maybe('b', () => 'text'),
  ...maybe(
    'c',
    listOf(() => 1.5),
  ),
  ...maybe('d', color),
  ...maybe('e', () => true),
  ...maybe('f', () => oneOf<unknown>(['1', 2])),
  ...(below(20) === 0 && { unknown: oneOf(ODD) }),
  ...(below(30) === 0 && { __proto__: { a: 1 } }),
});
const tree = (depth = 0): unknown => ({
  name: often(() => 'n'),
  ...maybe('leaf', leaf),
  ...maybe('leaves', listOf(leaf)),
  ...(depth < 3 && maybe('below', () => tree(depth + 1))),
  ...maybe('colors', listOf(listOf(color))),
});

test('values are coerced, defaults added and faults named as by graphql', () => {
  let fine = 0;
  for (let round = 0; round < 3_000; round++) {
    const given = {
      ...maybe('i', () => below(9)),
      ...maybe('n', () => 4),
      ...maybe('s', () => 's'),
      ...maybe('t', tree),
      ...maybe('ts', listOf(tree)),
      ...maybe('o', () => ({ a: 1 })),
      c: often(color),
      ...maybe('l', listOf(leaf)),
    };
    const expected = getVariableValues(schema, variableDefinitions!, given);
    const got = coerceVariables(schema, variableDefinitions!, given);
    expect(got, `seed ${SEED}, round ${round}`).toEqual(expected);
    if (got.coerced) {
      fine++;
      for (const [name, value] of Object.entries(got.coerced))
        if (value && typeof value === 'object' && !Array.isArray(value))
          expect(Object.getPrototypeOf(value)).toBe(Object.getPrototypeOf(expected.coerced![name]));
    }
  }
  expect(fine).toBeGreaterThan(100);
});
