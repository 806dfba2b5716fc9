import { expect, it } from 'vitest';
import { MENU_MOVES, moveMenuEntry, sortMenu } from './menu-tree.ts';

const buildEntry = (id: string, sequence: number, parentId: string | null = null) => ({
  id,
  sequence,
  parentId,
});
const menu = [
  buildEntry('c', 30),
  buildEntry('a', 10),
  buildEntry('b', 20),
  buildEntry('b2', 20, 'b'),
  buildEntry('b1', 10, 'b'),
];

it('sorts each entry before its children', () => {
  expect(sortMenu(menu).map(({ id }) => id)).toEqual(['a', 'b', 'b1', 'b2', 'c']);
});

it.each([
  ['a', 'down', [buildEntry('b', 10), buildEntry('a', 20)]],
  ['b2', 'up', [buildEntry('b2', 10, 'b'), buildEntry('b1', 20, 'b')]],
  ['c', 'in', [buildEntry('c', 30, 'b')]],
  ['b1', 'out', [buildEntry('b1', 30), buildEntry('c', 40)]],
] as const)('moves %s %s', (id, move, changes) => {
  expect(moveMenuEntry(menu, id, move)).toEqual(changes);
});

it.each([
  ['a', 'up'],
  ['a', 'in'],
  ['a', 'out'],
  ['b', 'in'],
  ['b2', 'down'],
  ['b1', 'in'],
] as const)('does not move %s %s', (id, move) => {
  expect(moveMenuEntry(menu, id, move)).toEqual([]);
});

it('assigns distinct numbers when an entry moves among entries with equal numbers', () => {
  const entries = [buildEntry('a', 10), buildEntry('b', 10), buildEntry('c', 10)];
  expect(moveMenuEntry(entries, 'b', 'up')).toEqual([buildEntry('a', 20), buildEntry('c', 30)]);
  expect(MENU_MOVES).toHaveLength(4);
});
