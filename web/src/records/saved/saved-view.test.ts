import { expect, it } from 'vitest';
import { type RecordsView, toRecordsVariables } from '../address.ts';
import { buildField } from '../field-fixture.ts';
import type { ModelDescription } from '../model.ts';
import {
  canEditView,
  findDefaultView,
  hasNoViewSettings,
  isSameView,
  type SavedView,
  toRecordsView,
  toSavedViewInput,
} from './saved-view.ts';

const model = {
  name: 'crm.lead',
  fields: [
    buildField('name', 'CHAR'),
    buildField('stage_id', 'MANY2ONE', { graphqlName: 'stageId', relationName: 'stage' }),
    buildField('tag_ids', 'MANY2MANY', { graphqlName: null, relationName: 'tags', list: true }),
    buildField('amount', 'FLOAT'),
    buildField('active', 'BOOLEAN'),
    buildField('day', 'DATE'),
  ],
} as unknown as ModelDescription;

const buildSavedView = (extra: Partial<SavedView>): SavedView => ({
  id: '7',
  userId: '1',
  name: 'Mine',
  kind: 'LIST',
  where: null,
  orderBy: null,
  groupBy: null,
  columns: ['name'],
  state: null,
  isShared: false,
  isDefault: false,
  version: 1,
  ...extra,
});

const as = { name: 'Mine', isShared: false, isDefault: false };
const view: RecordsView = {
  q: 'harbour',
  where: [
    ['name', 'contains', 'a'],
    ['stage', 'eq', '3'],
    ['stage', 'empty', ''],
    ['tags', 'eq', '4'],
    ['tags', 'empty', ''],
    ['amount', 'gte', '5'],
    ['active', 'eq', 'true'],
    ['day', 'lte', '2026-05-01'],
  ],
  order: '-amount',
  group: 'stage',
  cols: ['name', 'amount'],
};

it('saves the filter of the list query for other clients', () => {
  const input = toSavedViewInput(model, { ...view, view: 'kanban', saved: '3' }, ['name'], as);
  const { where, orderBy } = toRecordsVariables(model, view);
  expect(input).toMatchObject({ ...as, kind: 'KANBAN', where, orderBy, groupBy: [{ field: 'STAGE' }] });
  expect(input.state).toEqual({ ...view, view: 'kanban' });
  expect(toSavedViewInput(model, view, ['name'], buildSavedView({}))).not.toHaveProperty('userId');
});

it('restores the URL of a view saved by this client', () => {
  const { state } = toSavedViewInput(model, { ...view, view: 'pivot', rows: ['stage'] }, ['name'], as);
  const restoredView = toRecordsView(model, buildSavedView({ state, where: { nothing: {} } }))!;
  expect(restoredView).toEqual({ ...view, view: 'pivot', rows: ['stage'], saved: '7' });
});

it("reads another client's view from its filter, sort order, groups and columns", () => {
  const input = toSavedViewInput(model, view, ['name', 'amount'], as);
  const { where, orderBy, groupBy, columns } = input;
  expect(toRecordsView(model, buildSavedView({ where, orderBy, groupBy, columns, kind: 'KANBAN' }))).toEqual({
    ...view,
    view: 'kanban',
    saved: '7',
  });
});

it.each([
  { or: [{ name: { eq: 'a' } }, { name: { eq: 'b' } }] },
  { name: { startsWith: 'a' } },
  { name: { eq: 'a', contains: 'b' } },
  { stage: { name: { eq: 'New' } } },
  { tags: { none: { name: { eq: 'a' } } } },
  { name: { isNull: false } },
])('rejects a filter that a URL cannot express: %j', (where) => {
  expect(toRecordsView(model, buildSavedView({ where }))).toBeNull();
});

it('compares views regardless of parameter order and of the saved view they are based on', () => {
  expect(
    isSameView({ q: 'a', group: 'stage', saved: '1' }, { group: 'stage', q: 'a', where: undefined }),
  ).toBe(true);
  expect(isSameView({ q: 'a' }, { q: 'b' })).toBe(false);
  expect(hasNoViewSettings({ saved: '1', q: undefined })).toBe(true);
  expect(hasNoViewSettings({ q: 'a' })).toBe(false);
});

it.each([
  ['a user may edit an own view', { userId: '1' }, false, true],
  ['a user may edit an own shared view', { userId: '1', isShared: true }, false, true],
  ["a user may not edit everyone's default", { userId: '1', isShared: true, isDefault: true }, false, false],
  ['a user may not edit a view of another user', { userId: '9', isShared: true }, false, false],
  ['an administrator may edit a shared view of another user', { userId: '9', isShared: true }, true, true],
  [
    "an administrator may edit everyone's default",
    { userId: '9', isShared: true, isDefault: true },
    true,
    true,
  ],
  ['an administrator may not edit a personal view of another user', { userId: '9' }, true, false],
])('%s', (_behavior, view, isAdministrator, expected) => {
  expect(canEditView(buildSavedView(view), '1', isAdministrator)).toBe(expected);
});

it('prefers the personal default view to the shared one', () => {
  const ofAll = buildSavedView({ id: '1', userId: '9', isShared: true, isDefault: true });
  const ownView = buildSavedView({ id: '2', isDefault: true });
  expect(findDefaultView([ofAll, buildSavedView({ id: '3' }), ownView], '1')).toBe(ownView);
  expect(findDefaultView([ofAll, buildSavedView({ id: '3' })], '1')).toBe(ofAll);
  expect(findDefaultView([buildSavedView({})], '1')).toBeUndefined();
});
