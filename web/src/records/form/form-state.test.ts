import { expect, it } from 'vitest';
import type { RequestFailure } from '../../graphql/request-error.ts';
import { lineModel } from '../field-fixture.ts';
import { createFormState, findLaterChanges, findRejectedField, reduceForm } from './form-state.ts';
import { createLineEdits, reduceLines } from './line-edits.ts';

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
    { changes: {}, facts: {}, lines: {}, isDirty: false, base: null },
  ],
  [
    'takes a newer version as the base after a reset',
    [enter({ name: 'Mine' }), { type: 'reset', start: {} }, enter({ name: 'Again' }, newer)],
    { changes: { name: 'Again' }, base: newer },
  ],
  [
    'keeps what the user enters during a save',
    [
      enter({ name: 'Sent', phone: '1' }),
      { type: 'save' },
      enter({ name: 'Later' }),
      { type: 'saved', later: { name: 'Later' }, rowKeys: { 7: 'new 0' }, record: newer },
      { type: 'finish' },
    ],
    { changes: { name: 'Later' }, rowKeys: { 7: 'new 0' }, isDirty: true, isSaving: false, base: newer },
  ],
  [
    'has no changes after a save',
    [enter({ name: 'Sent' }), { type: 'save' }, { type: 'saved', later: {}, rowKeys: {}, record: newer }],
    { changes: {}, isDirty: false, base: null },
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
    'keeps the error of a field until the field is edited',
    [
      { type: 'reject', failure: { ...failure, argument: 'input.name' } },
      enter({ phone: '1' }),
      { type: 'reject', failure: { ...failure, argument: 'input.phone' } },
      enter({ name: 'Mine' }),
    ],
    { failure: { ...failure, argument: 'input.phone' } },
  ],
  [
    'removes the error of a field that is edited',
    [{ type: 'reject', failure: { ...failure, argument: 'input.name' } }, enter({ name: 'Mine' })],
    { failure: null },
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
];

it.each(TRANSITIONS)('%s', (_behavior, transitions, expected) => {
  const state = run(transitions);
  expect(state).toEqual({ ...state, ...expected });
});

it('finds the changes made during a save, and moves edits of added lines to the created lines', () => {
  const edits = createLineEdits(lineModel, []);
  const added = reduceLines(edits, { type: 'add', key: 'new 0' });
  const sent = { name: 'Sent', phone: '1', lines: added, tags: added };
  const now = {
    ...sent,
    name: 'Later',
    lines: reduceLines(added, { type: 'changeAdded', key: 'new 0', values: { quantity: '2' } }),
  };
  const created = { nodes: [{ id: '7' }] };
  expect(findLaterChanges(sent, now, { ...newer, newest_lines: created, newest_tags: created })).toEqual({
    later: { name: 'Later', lines: { ...edits, changed: { 7: { quantity: '2' } } } },
    rowKeys: { 7: 'new 0' },
  });
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
