import { expect, it } from 'vitest';
import { stepSelection } from './suggestion-list.tsx';

it.each([
  ['ArrowDown', -1, 3, 0],
  ['ArrowDown', 0, 3, 1],
  ['ArrowDown', 2, 3, 0],
  ['ArrowUp', -1, 3, 2],
  ['ArrowUp', 0, 3, 2],
  ['ArrowUp', 1, 3, 0],
  ['ArrowUp', -1, 1, 0],
  ['ArrowDown', -1, 0, undefined],
  ['Enter', 0, 3, undefined],
])('%s on suggestion %i of %i selects suggestion %s', (key, selected, count, next) => {
  expect(stepSelection(key, selected, count)).toBe(next);
});
