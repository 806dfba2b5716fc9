import { expect, it } from 'vitest';
import {
  computeChanges,
  createGuardedState,
  findConflicts,
  type GuardedRecord,
  type GuardedState,
  isOtherVersion,
  reduceGuardedForm,
} from './guarded.ts';

it('computeChanges returns only values that differ', () => {
  expect(computeChanges({ name: 'Ann', email: null }, { name: 'Ann', email: 'a@b.test' })).toEqual({
    email: 'a@b.test',
  });
  expect(computeChanges({ name: 'Ann' }, { name: 'Ann', email: null })).toEqual({});
});

it('findConflicts returns fields that both changes set to different values', () => {
  const before = { name: 'Ann', email: 'a@b.test', isOn: false };
  const findClashes = (now: object, changes: object) =>
    findConflicts(before, { ...before, ...now }, { ...changes });
  expect(findClashes({ name: 'Anna' }, { email: 'c@d.test' })).toEqual([]);
  expect(findClashes({ name: 'Anna' }, { name: 'Anna' })).toEqual([]);
  expect(findClashes({ name: 'Anna' }, { name: 'Anne', email: 'c@d.test' })).toEqual(['name']);
  expect(findClashes({ email: null }, { email: 'c@d.test' })).toEqual(['email']);
  expect(findClashes({ isOn: true }, { isOn: null })).toEqual(['isOn']);
});

const buildRecord = (name: string, version: number): GuardedRecord => ({
  lastChange: { version, updatedAt: null, updatedBy: null },
  values: { name, email: null },
});
const loaded = buildRecord('Ann', 1);
const theirs = buildRecord('Anna', 2);
const refusal = { code: 'BAD_VALUE', message: 'The name is empty.', argument: 'name', requestId: null };

it.each<[string, Parameters<typeof reduceGuardedForm>[1][], Partial<GuardedState>]>([
  ['keeps an edit', [{ kind: 'edit', name: 'name', value: 'Anne' }], { edits: { name: 'Anne' } }],
  ['discards edits', [{ kind: 'edit', name: 'name', value: 'Anne' }, { kind: 'discard' }], {}],
  ['follows the server', [{ kind: 'follow', record: theirs }], { base: theirs }],
  [
    'continues from the saved values',
    [
      { kind: 'edit', name: 'email', value: 'a@b.test' },
      { kind: 'save' },
      { kind: 'saved', over: theirs, changes: { email: 'a@b.test' } },
      { kind: 'finish' },
    ],
    { base: { ...theirs, values: { name: 'Anna', email: 'a@b.test' } } },
  ],
  [
    'keeps the edits during a conflict',
    [
      { kind: 'edit', name: 'name', value: 'Anne' },
      { kind: 'save' },
      { kind: 'conflict', theirs },
      { kind: 'finish' },
    ],
    { edits: { name: 'Anne' }, theirs },
  ],
  [
    'takes the values of the other user',
    [{ kind: 'edit', name: 'name', value: 'Anne' }, { kind: 'conflict', theirs }, { kind: 'takeTheirs' }],
    { base: theirs },
  ],
  [
    'returns to the edits when the conflict is closed',
    [{ kind: 'edit', name: 'name', value: 'Anne' }, { kind: 'conflict', theirs }, { kind: 'closeConflict' }],
    { edits: { name: 'Anne' } },
  ],
  [
    'keeps the edits of a rejected save and closes the conflict',
    [
      { kind: 'edit', name: 'name', value: '' },
      { kind: 'conflict', theirs },
      { kind: 'save' },
      { kind: 'reject', refusal },
      { kind: 'finish' },
    ],
    { edits: { name: '' }, refusal },
  ],
  ['clears the error at the next save', [{ kind: 'reject', refusal }, { kind: 'save' }], { isSaving: true }],
])('%s', (_title, actions, expected) => {
  expect(actions.reduce(reduceGuardedForm, createGuardedState(loaded))).toEqual({
    ...createGuardedState(loaded),
    ...expected,
  });
});

it('recognizes a different version by its number or values', () => {
  expect(isOtherVersion({ ...loaded }, loaded)).toBe(false);
  expect(isOtherVersion({ ...loaded, values: theirs.values }, loaded)).toBe(true);
  expect(isOtherVersion({ ...loaded, lastChange: theirs.lastChange }, loaded)).toBe(true);
});
