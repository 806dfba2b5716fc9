import { expect, it } from 'vitest';
import type { RequestFailure } from '../../graphql/request-error.ts';
import { type DraftAction, type DraftState, hasChanges, reduceDraft, replacesDraft } from './draft-state.ts';

const refusal: RequestFailure = {
  code: 'BAD_VALUE',
  message: 'The subject is empty.',
  argument: 'subject',
  requestId: null,
};
const initial: DraftState<string, string> = { base: 'A', draft: 'a', refusal: null, isSaving: false };

it.each<[string, DraftAction<string, string>[], Partial<DraftState<string, string>>]>([
  ['keeps an edit', [{ kind: 'edit', draft: 'b' }], { draft: 'b' }],
  ['is busy during a save', [{ kind: 'save' }], { isSaving: true }],
  [
    'loads the saved version',
    [
      { kind: 'edit', draft: 'b' },
      { kind: 'save' },
      { kind: 'load', stored: 'B', draft: 'b' },
      { kind: 'finish' },
    ],
    { base: 'B', draft: 'b' },
  ],
  [
    'keeps the edit and the error of a rejected save',
    [{ kind: 'edit', draft: '' }, { kind: 'save' }, { kind: 'reject', refusal }, { kind: 'finish' }],
    { draft: '', refusal },
  ],
  ['clears the error at the next save', [{ kind: 'reject', refusal }, { kind: 'save' }], { isSaving: true }],
  [
    'clears the error when the draft is discarded',
    [
      { kind: 'reject', refusal },
      { kind: 'load', stored: 'A', draft: 'a' },
    ],
    {},
  ],
  ['clears a dismissed error', [{ kind: 'reject', refusal }, { kind: 'dismissRefusal' }], {}],
])('%s', (_title, actions, expected) => {
  expect(actions.reduce(reduceDraft, initial)).toEqual({ ...initial, ...expected });
});

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
