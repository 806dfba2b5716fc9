import { expect, it } from 'vitest';
import { findAdjacent } from './find-adjacent.ts';

const nodes = ['4', '5', '6'].map((id) => ({ id }));

it.each([
  ['5', 1, { at: 2, previous: '4', next: '6' }],
  ['4', 0, { at: 0, previous: null, next: '5' }],
  ['6', 7, { at: 9, previous: '5', next: null }],
  ['9', 7, null],
])('finds the neighbors of record %s in a list from offset %i', (id, offset, expected) => {
  expect(findAdjacent(nodes, offset, id)).toEqual(expected);
});
