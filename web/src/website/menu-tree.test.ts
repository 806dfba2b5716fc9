import { expect, it } from 'vitest';
import { MENU_MOVES, menuMoved, menuOrder } from './menu-tree.ts';

const entry = (id: string, sequence: number, parentId: string | null = null) => ({ id, sequence, parentId });
const menu = [entry('c', 30), entry('a', 10), entry('b', 20), entry('b2', 20, 'b'), entry('b1', 10, 'b')];

it('shows each entry with those below it', () => {
  expect(menuOrder(menu).map(({ id }) => id)).toEqual(['a', 'b', 'b1', 'b2', 'c']);
});

it.each([
  ['a', 'down', [entry('b', 10), entry('a', 20)]],
  ['b2', 'up', [entry('b2', 10, 'b'), entry('b1', 20, 'b')]],
  ['c', 'in', [entry('c', 30, 'b')]],
  ['b1', 'out', [entry('b1', 30), entry('c', 40)]],
] as const)('%s goes %s', (id, move, changes) => {
  expect(menuMoved(menu, id, move)).toEqual(changes);
});

it.each([
  ['a', 'up'],
  ['a', 'in'],
  ['a', 'out'],
  ['b', 'in'],
  ['b2', 'down'],
  ['b1', 'in'],
] as const)('%s cannot go %s', (id, move) => {
  expect(menuMoved(menu, id, move)).toEqual([]);
});

it('neighbours of the same number have numbers of their own once one of them moves', () => {
  const same = [entry('a', 10), entry('b', 10), entry('c', 10)];
  expect(menuMoved(same, 'b', 'up')).toEqual([entry('a', 20), entry('c', 30)]);
  expect(MENU_MOVES).toHaveLength(4);
});
