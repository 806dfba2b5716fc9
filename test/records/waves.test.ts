import { expect, test } from 'vitest';
import { computeWaves } from '../../src/engine/table/import-order.ts';

test.each([
  ['without links all are in one wave', [[], [], []], [[0, 1, 2]], []],
  ['a record comes after what it needs, wherever that is in the table', [[2], [0], []], [[2], [0], [1]], []],
  ['one that needs two comes after the later', [[], [0], [0, 1]], [[0], [1], [2]], []],
  ['a circle is in no wave, and neither is who needs it', [[1], [0], [0], []], [[3]], [0, 1, 2]],
  ['nor is one that needs itself', [[0], []], [[1]], [0]],
])('%s', (_what, needs, waves, circular) => {
  expect(computeWaves(needs)).toEqual({ waves, circular });
});

test('resolves a dependency chain of the maximum table length', () => {
  const length = 100_000;
  const { waves, circular } = computeWaves(Array.from({ length }, (_, place) => (place ? [place - 1] : [])));
  expect([waves.length, waves.at(-1), circular]).toEqual([length, [length - 1], []]);
});
