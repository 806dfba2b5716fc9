import { expect, test } from 'vitest';
import { computeWaves } from '../../src/engine/table/import-order.ts';

test.each([
  ['puts records without links into one wave', [[], [], []], [[0, 1, 2]], []],
  ['puts a record after its dependencies, in any table order', [[2], [0], []], [[2], [0], [1]], []],
  ['puts a record with two dependencies after the later one', [[], [0], [0, 1]], [[0], [1], [2]], []],
  ['omits a cycle and the records that depend on it', [[1], [0], [0], []], [[3]], [0, 1, 2]],
  ['omits a record that depends on itself', [[0], []], [[1]], [0]],
])('%s', (_what, needs, waves, circular) => {
  expect(computeWaves(needs)).toEqual({ waves, circular });
});

test('resolves a dependency chain of 100,000 rows', () => {
  const length = 100_000;
  const { waves, circular } = computeWaves(Array.from({ length }, (_, index) => (index ? [index - 1] : [])));
  expect([waves.length, waves.at(-1), circular]).toEqual([length, [length - 1], []]);
});
