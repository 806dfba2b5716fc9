import { expect, it } from 'vitest';
import type { RequestFailure } from '../../graphql/request-error.ts';
import { createFormState, findRejectedField, reduceForm } from './form-state.ts';

type State = ReturnType<typeof createFormState>;
type Transition = Parameters<typeof reduceForm>[1];

const loaded = { id: '1', name: 'Loaded' };
const newer = { id: '1', name: 'Newer' };
const failure: RequestFailure = { code: 'BAD_VALUE', message: 'Too long.', argument: null, requestId: null };

const run = (transitions: Transition[], state: Partial<State> = {}): State =>
  transitions.reduce(reduceForm, { ...createFormState({ stage: 'new' }), ...state });

const enter = (values: object, record: typeof loaded | null = loaded): Transition => ({
  type: 'enter',
  values: { ...values },
  record,
});

const TRANSITIONS: [behavior: string, transitions: Transition[], expected: Partial<State>][] = [
  ['starts with the defaults, unchanged', [], { changes: { stage: 'new' }, isDirty: false, base: null }],
  [
    'keeps the version of the first change as the base of later changes',
    [enter({ name: 'Mine' }), enter({ phone: '1' }, newer)],
    { changes: { stage: 'new', name: 'Mine', phone: '1' }, isDirty: true, base: loaded },
  ],
  ['has no base for a new record', [enter({ name: 'Mine' }, null)], { isDirty: true, base: null }],
  [
    'adds computed values',
    [enter({ partner: '7' }), { type: 'compute', values: { phone: '1' }, facts: { total: 5 }, lines: {} }],
    { changes: { stage: 'new', partner: '7', phone: '1' }, facts: { total: 5 } },
  ],
  [
    'discards changes and the values computed from them',
    [
      enter({ partner: '7' }),
      { type: 'compute', values: { phone: '1' }, facts: { total: 5 }, lines: { order_line: {} } },
      { type: 'reset', start: {} },
    ],
    { changes: {}, facts: {}, lines: {}, isDirty: false, base: null, round: 1 },
  ],
  [
    'takes a newer version as the base after a reset',
    [enter({ name: 'Mine' }), { type: 'reset', start: {} }, enter({ name: 'Again' }, newer)],
    { changes: { name: 'Again' }, base: newer },
  ],
  [
    'keeps what the user enters during a save',
    [
      enter({ name: 'Sent', phone: '1', tags: ['1'] }),
      { type: 'save' },
      enter({ name: 'Later', tags: ['1', '2'] }),
      {
        type: 'saved',
        sent: { stage: 'new', name: 'Sent', phone: '1', tags: ['1'] },
        record: newer,
        start: {},
      },
      { type: 'finish' },
    ],
    { changes: { name: 'Later' }, isDirty: true, isSaving: false, base: newer, round: 0 },
  ],
  [
    'has no changes after a save',
    [
      enter({ name: 'Sent' }),
      { type: 'save' },
      { type: 'saved', sent: { stage: 'new', name: 'Sent' }, record: newer, start: {} },
    ],
    { changes: {}, isDirty: false, base: null, round: 1 },
  ],
  [
    'clears the last failure and conflict when it saves again',
    [{ type: 'reject', failure }, { type: 'conflict', theirs: newer }, { type: 'save' }],
    { isSaving: true, failure: null, theirs: null },
  ],
  [
    'keeps the changes of a rejected save',
    [enter({ name: 'Mine' }), { type: 'save' }, { type: 'reject', failure }, { type: 'finish' }],
    { isDirty: true, isSaving: false, failure, changes: { stage: 'new', name: 'Mine' } },
  ],
  [
    'keeps the changes and their base when a conflict is closed',
    [enter({ name: 'Mine' }), { type: 'conflict', theirs: newer }, { type: 'closeConflict' }],
    { isDirty: true, base: loaded, theirs: null },
  ],
  [
    'shows the progress of uploads until the save has finished',
    [
      { type: 'upload', name: 'image', share: 0.2 },
      { type: 'upload', name: 'image', share: 0.9 },
    ],
    { uploads: { image: 0.9 } },
  ],
  [
    'forgets the uploads after the save',
    [{ type: 'upload', name: 'a', share: 1 }, { type: 'finish' }],
    { uploads: {} },
  ],
  [
    'shows the values of a created record until it is opened, without asking whether to leave',
    [enter({ name: 'Mine' }, null), { type: 'create' }],
    { isDirty: false, changes: { stage: 'new', name: 'Mine' } },
  ],
];

it.each(TRANSITIONS)('%s', (_behavior, transitions, expected) => {
  const state = run(transitions);
  expect(state).toEqual({ ...state, ...expected });
});

it('remains in the saving state if the form is reset during a save', () => {
  expect(run([{ type: 'save' }, { type: 'reset', start: {} }])).toHaveProperty('isSaving', true);
});

it.each([
  ['input.name', 'name'],
  ['input.lines[2].price', 'lines'],
  ['input.imageUploadId', 'image'],
  ['where', undefined],
  [null, undefined],
])('assigns an error about the argument %s to the field %s', (argument, field) => {
  expect(findRejectedField({ ...failure, argument })).toBe(field);
  expect(findRejectedField(null)).toBeUndefined();
});
