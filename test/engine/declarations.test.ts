import { expect, test } from 'vitest';
import { checkDeclarations } from '../../schema/check-declarations.ts';
import type { Registry } from '../../src/engine/model/model.ts';
import type { Operation } from '../../src/engine/operation/operation.ts';

const GROUPS = new Set(['base.group_user']);
const buildModel = (access: Record<string, string>) =>
  new Map([['lab', { name: 'lab', options: { access } }]]) as unknown as Registry;
const buildModels = (...names: string[]) =>
  new Map(
    names.map((name) => [name, { name, options: { access: {}, graph: { type: 'Lab' } } }]),
  ) as unknown as Registry;
const buildOperation = (address: string | null) =>
  [{ name: 'labRun', model: address }] as unknown as Operation[];

const STATES = { type: 'selection', selection: [['open', 'Open']] };
const buildLab = (shownFor: object = {}) =>
  new Map([
    [
      'lab',
      {
        name: 'lab',
        fields: new Map<string, object>([
          ['state', STATES],
          ['active', { type: 'boolean' }],
        ]),
        options: { access: {}, shownFor },
      },
    ],
  ]) as unknown as Registry;
const buildAction = (formAction: object, changes: object = {}) =>
  [
    {
      name: 'labRun',
      model: 'lab',
      records: 'lab',
      onRecords: true,
      effects: ['writes'],
      formAction,
      ...changes,
    },
  ] as unknown as Operation[];

test.each<[string, Registry, Operation[], RegExp]>([
  ['an unknown group', buildModel({ 'base.group_nope': 'r' }), [], /lab.*base\.group_nope/],
  ['invalid rights', buildModel({ 'base.group_user': 'rx' }), [], /lab.*rx/],
  ['missing rights', buildModel({ 'base.group_user': '' }), [], /lab/],
  ['the address of an unknown model', buildModel({}), buildOperation('labb'), /labRun.*labb/],
  [
    'a GraphQL type name used by another model',
    buildModels('lab', 'lab.two'),
    [],
    /lab\.two.*GraphQL type Lab.*lab/,
  ],
  [
    'a field shown for an unknown value',
    buildLab({ note: { state: ['shut'] } }),
    [],
    /lab.*note.*state = shut/,
  ],
  [
    'a form action for an unknown field',
    buildLab(),
    buildAction({ label: 'Run', offeredFor: { stage: [true] } }),
    /labRun.*stage = true/,
  ],
  [
    'a form action that deletes without a question',
    buildLab(),
    buildAction({ label: 'Run' }, { effects: ['writes', 'deletes'] }),
    /labRun.*question/,
  ],
  [
    'a form action that returns no records',
    buildLab(),
    buildAction({ label: 'Run' }, { records: undefined }),
    /labRun.*return records/,
  ],
])('rejects %s at startup and names it', (_, registry, operations, message) => {
  expect(() => checkDeclarations(registry, operations, GROUPS)).toThrow(message);
});

test('accepts declarations whose references exist', () => {
  const registry = buildModel({ 'base.group_user': 'crwu' });
  for (const address of ['lab', '*', null]) checkDeclarations(registry, buildOperation(address), GROUPS);
  const conditions = { state: ['open'], active: [false] };
  const actions = buildAction(
    { label: 'Run', question: 'Run?', offeredFor: conditions },
    { effects: ['sends'] },
  );
  checkDeclarations(buildLab({ note: conditions }), actions, GROUPS);
});
