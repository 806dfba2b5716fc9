import { expect, it } from 'vitest';
import { computeChanges, findConflicts } from './guarded.ts';

it('a change contains only values that differ from before', () => {
  expect(computeChanges({ name: 'Ann', email: null }, { name: 'Ann', email: 'a@b.test' })).toEqual({
    email: 'a@b.test',
  });
  expect(computeChanges({ name: 'Ann' }, { name: 'Ann', email: null })).toEqual({});
});

it('two changes conflict if both set the same field to different values', () => {
  const before = { name: 'Ann', email: 'a@b.test', isOn: false };
  const findClashes = (now: object, changes: object) =>
    findConflicts(before, { ...before, ...now }, { ...changes });
  expect(findClashes({ name: 'Anna' }, { email: 'c@d.test' })).toEqual([]);
  expect(findClashes({ name: 'Anna' }, { name: 'Anna' })).toEqual([]);
  expect(findClashes({ name: 'Anna' }, { name: 'Anne', email: 'c@d.test' })).toEqual(['name']);
  expect(findClashes({ email: null }, { email: 'c@d.test' })).toEqual(['email']);
  expect(findClashes({ isOn: true }, { isOn: null })).toEqual(['isOn']);
});
