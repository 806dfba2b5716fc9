import { expect, it } from 'vitest';
import { hasChanges, replacesDraft } from './use-draft.ts';

it.each([
  [3, false, true],
  [3, true, false],
  [2, false, false],
  [1, false, false],
])(
  'decides whether version %i replaces a draft of version 2 with unsaved edits %s: %s',
  (version, isDirty, expected) => {
    expect(replacesDraft({ id: 'a', version }, { id: 'a', version: 2 }, isDirty)).toBe(expected);
  },
);

it('replaces a draft that is based on another record', () => {
  expect(replacesDraft({ id: 'b', version: 1 }, { id: 'a', version: 7 }, false)).toBe(true);
});

it('hasChanges is false for an empty input', () => {
  expect(hasChanges({})).toBe(false);
  expect(hasChanges({ name: 'News' })).toBe(true);
});
