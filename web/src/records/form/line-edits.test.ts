import { expect, it } from 'vitest';
import { buildField } from '../field-fixture.ts';
import {
  type LineEdits,
  type LineTransition,
  NO_LINE_EDITS,
  reduceLines,
  toLineChanges,
} from './line-edits.ts';

const fields = [buildField('name', 'CHAR'), buildField('quantity', 'FLOAT')];

const run = (...transitions: LineTransition[]): LineEdits => transitions.reduce(reduceLines, NO_LINE_EDITS);

it('adds, changes and removes new lines by key', () => {
  const edits = run(
    { type: 'add' },
    { type: 'add' },
    { type: 'changeAdded', key: 'new 1', values: { name: 'Second' } },
    { type: 'changeAdded', key: 'new 1', values: { quantity: '2' } },
    { type: 'removeAdded', key: 'new 0' },
    { type: 'add' },
  );
  expect(edits).toEqual({
    ...NO_LINE_EDITS,
    added: [
      { key: 'new 1', values: { name: 'Second', quantity: '2' } },
      { key: 'new 2', values: {} },
    ],
    addedCount: 3,
  });
});

it('collects changes by line', () => {
  const { changed } = run(
    { type: 'change', id: '1', values: { name: 'One' } },
    { type: 'change', id: '2', values: { quantity: '5' } },
    { type: 'change', id: '1', values: { quantity: '1' } },
  );
  expect(changed).toEqual({ 1: { name: 'One', quantity: '1' }, 2: { quantity: '5' } });
});

it('saves new, changed and removed lines, without changes to removed lines', () => {
  const edits = run(
    { type: 'add' },
    { type: 'changeAdded', key: 'new 0', values: { name: 'New', quantity: '' } },
    { type: 'add' },
    { type: 'change', id: '1', values: { quantity: '' } },
    { type: 'change', id: '2', values: { name: 'Gone' } },
    { type: 'remove', id: '2' },
  );
  expect(toLineChanges(fields, fields.slice(0, 1), edits)).toEqual({
    create: [{ name: 'New' }, {}],
    update: [{ id: '1', input: { quantity: null } }],
    delete: ['2'],
    commands: [
      [2, 2],
      [1, 1, { quantity: false }],
      [0, 'new 0', { name: 'New', quantity: false }],
    ],
    spec: { name: {} },
  });
});
