import { expect, it } from 'vitest';
import { moveCellPosition } from './cell-position.ts';

const last = { row: 40, column: 3 };
const buildKeyEvent = (key: string, ctrlKey = false) => ({ key, ctrlKey, metaKey: false });

it.each([
  ['ArrowDown', false, [5, 1], [6, 1]],
  ['ArrowUp', false, [0, 1], [0, 1]],
  ['ArrowRight', false, [5, 3], [5, 3]],
  ['ArrowLeft', false, [5, 1], [5, 0]],
  ['PageDown', false, [35, 1], [40, 1]],
  ['Home', false, [5, 2], [5, 0]],
  ['End', false, [5, 2], [5, 3]],
  ['Home', true, [5, 2], [0, 0]],
  ['End', true, [5, 2], [40, 3]],
] as const)('%s (with Control: %s) moves from %j to %j', (key, isControl, [row, column], to) => {
  expect(moveCellPosition(buildKeyEvent(key, isControl), { row, column }, last)).toEqual({
    row: to[0],
    column: to[1],
  });
});

it('moves in the visual direction of arrow keys in right-to-left layout', () => {
  expect(moveCellPosition(buildKeyEvent('ArrowLeft'), { row: 1, column: 1 }, last, true)).toEqual({
    row: 1,
    column: 2,
  });
});

it('does not move for other keys', () => {
  expect(moveCellPosition(buildKeyEvent('Enter'), { row: 1, column: 1 }, last)).toBeUndefined();
  expect(moveCellPosition(buildKeyEvent('ArrowDown', true), { row: 1, column: 1 }, last)).toBeUndefined();
});
