import { expect, it } from 'vitest';
import type { LineEdits } from '../document.ts';
import { lineModel } from '../field-fixture.ts';
import {
  createLineEdits,
  findCreatedIds,
  findLaterLines,
  type LineTransition,
  reduceLines,
} from './line-edits.ts';

const unchanged = createLineEdits(lineModel, []);

const run = (transitions: LineTransition[], start = unchanged): LineEdits =>
  transitions.reduce(reduceLines, start);

it('adds, changes and removes new lines by key', () => {
  const { added } = run([
    { type: 'add', key: 'new 0' },
    { type: 'add', key: 'new 1' },
    { type: 'changeAdded', key: 'new 1', values: { name: 'Second' } },
    { type: 'changeAdded', key: 'new 1', values: { quantity: '2' } },
    { type: 'removeAdded', key: 'new 0' },
  ]);
  expect(added).toEqual([{ key: 'new 1', values: { name: 'Second', quantity: '2' } }]);
});

it('collects changes by line, except changes of removed lines', () => {
  const { changed, removedIds } = run([
    { type: 'change', id: '1', values: { name: 'One' } },
    { type: 'change', id: '2', values: { quantity: '5' } },
    { type: 'change', id: '1', values: { quantity: '1' } },
    { type: 'remove', id: '2' },
  ]);
  expect({ changed, removedIds }).toEqual({
    changed: { 1: { name: 'One', quantity: '1' } },
    removedIds: ['2'],
  });
});

const toLines = (...ids: string[]) => ids.map((id) => ({ id }));

it('finds the ids of created lines, unless the response lacks lines', () => {
  const edits = run([
    { type: 'add', key: 'new 0' },
    { type: 'add', key: 'new 2' },
  ]);
  const ids = new Map([
    ['new 0', '9'],
    ['new 2', '10'],
  ]);
  expect(findCreatedIds(edits, toLines('10', '9'))).toEqual(ids);
  expect(findCreatedIds(edits, toLines('10')).size).toBe(0);
  expect(findCreatedIds(unchanged, []).size).toBe(0);
});

const sent = run([
  { type: 'change', id: '1', values: { name: 'One', quantity: '1' } },
  { type: 'add', key: 'new 0' },
  { type: 'changeAdded', key: 'new 0', values: { name: 'Added', quantity: '1' } },
  { type: 'add', key: 'new 1' },
  { type: 'remove', id: '2' },
]);
const createdIds = new Map([
  ['new 0', '7'],
  ['new 1', '8'],
]);

const LATER: [behavior: string, transitions: LineTransition[], expected: Partial<LineEdits> | null][] = [
  ['finds no edits that were saved', [], null],
  [
    'finds later values of a saved line',
    [{ type: 'change', id: '1', values: { quantity: '2' } }],
    { changed: { 1: { quantity: '2' } } },
  ],
  [
    'assigns later values of an added line to the created line',
    [{ type: 'changeAdded', key: 'new 0', values: { quantity: '2' } }],
    { changed: { 7: { quantity: '2' } } },
  ],
  [
    'keeps a line that was added later',
    [
      { type: 'add', key: 'new 2' },
      { type: 'changeAdded', key: 'new 2', values: { name: 'Later' } },
    ],
    { added: [{ key: 'new 2', values: { name: 'Later' } }] },
  ],
  [
    'removes created and saved lines that were removed later',
    [
      { type: 'removeAdded', key: 'new 1' },
      { type: 'remove', id: '1' },
    ],
    { removedIds: ['1', '8'] },
  ],
];

it.each(LATER)('%s', (_behavior, transitions, expected) => {
  const later = findLaterLines(sent, run(transitions, sent), createdIds);
  expect(later).toEqual(expected && { ...unchanged, ...expected });
});

it('leaves out edits of an added line whose id is unknown', () => {
  const now = run([{ type: 'changeAdded', key: 'new 0', values: { quantity: '2' } }], sent);
  expect(findLaterLines(sent, now, new Map())).toBeNull();
});
