import { expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';

const app = setUpApp();

const SAVE = `mutation ($id: ID, $input: SavedViewInput!, $expectedVersion: Int) {
  savedViewSave(id: $id, input: $input, expectedVersion: $expectedVersion) {
    id version name model kind where orderBy groupBy columns state isShared isDefault user { login }
  }
}`;
const save = (input: object, id?: string, key = app.main.user.key) =>
  postGraphql(app, SAVE, { key, variables: { id, input: { ...VIEW, ...input } } });
const saveVersion = (input: object, id: string, expectedVersion: number, key: string) =>
  postGraphql(app, SAVE, { key, variables: { id, expectedVersion, input: { ...VIEW, ...input } } });
const VIEW = {
  name: 'Belgians',
  model: 'res.partner',
  kind: 'LIST',
  where: { country: { code: { eq: 'BE' } } },
  orderBy: [{ field: 'NAME', direction: 'ASC' }],
  groupBy: [{ field: 'COUNTRY' }],
  columns: ['name', 'country.name'],
  state: { span: 'week', rows: ['country'] },
};
const listViews = async (key: string): Promise<{ name: string; isDefault: boolean }[]> =>
  (await postGraphql(app, '{ savedViews(first: 50) { nodes { name isDefault } } }', { key })).data.savedViews
    .nodes;
const listNames = async (key: string) => (await listViews(key)).map(({ name }) => name);

test("saves, replaces and deletes a user's list view", async () => {
  const { user, admin } = app.main;
  const { errors, data } = await save({});
  expect(errors).toEqual([]);
  expect(data.savedViewSave).toMatchObject({ ...VIEW, isShared: false, user: { login: 'user' } });
  const { id } = data.savedViewSave;
  expect((await save({ name: 'All', where: null }, id)).data.savedViewSave).toMatchObject({
    id,
    where: null,
  });
  expect([await listNames(user.key), await listNames(admin.key)]).toEqual([['All'], []]);
  for (const key of [admin.key, app.main.readOnlyKey])
    expect((await save({}, id, key)).errors[0]!.extensions.code).toMatch(/NOT_FOUND|FORBIDDEN/);
  const remove = 'mutation ($id: ID!) { savedViewDelete(id: $id) }';
  expect(
    (await postGraphql(app, remove, { key: admin.key, variables: { id } })).errors[0]!.extensions.code,
  ).toBe('NOT_FOUND');
  expect((await postGraphql(app, remove, { key: user.key, variables: { id } })).data.savedViewDelete).toBe(
    true,
  );
  expect(await listNames(user.key)).toEqual([]);
});

test('rejects a change that is based on an older version, for the owner and for administrators', async () => {
  const { user, admin } = app.main;
  const { id, version } = (await save({ name: 'Contended', isShared: true })).data.savedViewSave;
  const changed = await saveVersion({ name: 'Theirs', isShared: true }, id, version, admin.key);
  expect(changed.data.savedViewSave).toMatchObject({ version: version + 1, user: { login: 'user' } });
  for (const key of [user.key, admin.key]) {
    const { errors } = await saveVersion({ name: 'Mine', isShared: true }, id, version, key);
    expect(errors[0]!.extensions.code).toBe('STALE');
  }
  expect(await listNames(user.key)).toEqual(['Theirs']);
  await save({ name: 'First', isDefault: true, isShared: true }, id, admin.key);
  const other = (await save({ name: 'Second', isDefault: true, isShared: true }, undefined, admin.key)).data;
  const { errors } = await saveVersion(
    { name: 'First', isDefault: true, isShared: true },
    id,
    version + 2,
    admin.key,
  );
  expect(errors[0]!.extensions.code).toBe('STALE');
  for (const view of [id, other.savedViewSave.id])
    await postGraphql(app, 'mutation ($id: ID!) { savedViewDelete(id: $id) }', {
      key: admin.key,
      variables: { id: view },
    });
});

test.each([
  ['where', { where: { nowhere: { eq: 1 } } }, /where.*nowhere/s],
  ['where', { where: { name: { eq: 1 } } }, /where\.name\.eq/],
  ['orderBy', { orderBy: [{ field: 'NOTHING' }] }, /orderBy/],
  ['orderBy', { orderBy: [{}] }, /exactly one/],
  ['orderBy', { orderBy: [{ field: 'NAME', country: { field: 'NAME' } }] }, /exactly one/],
  ['orderBy', { orderBy: [{ country: { field: 'NAME' }, direction: 'DESC' }] }, /inside `country`/],
  ['orderBy', { orderBy: Array(21).fill({ field: 'NAME' }) }, /20/],
  ['groupBy', { groupBy: [{ field: 'NOTHING' }] }, /groupBy/],
  [
    'columns',
    { columns: ['name', 'country.nothing'] },
    /columns: res\.partner has no field country\.nothing/,
  ],
  ['columns', { columns: ['name', 'name'] }, /only once/],
  ['columns', { columns: Array.from({ length: 101 }, (_, index) => `c${index}`) }, /at most 100/],
  ['state', { state: ['week'] }, /state: must be an object/],
  ['state', { state: { text: 'a'.repeat(16 * 1024) } }, /state: must be at most 16384 bytes/],
  ['name', { name: ' ' }, /name/],
  ['model', { model: 'no.model' }, /no\.model/],
  ['model', { model: 'ir.rule', where: null, orderBy: null, groupBy: null, columns: [] }, /.+/],
])('rejects a view whose %s is invalid or unavailable to its user (%#)', async (_part, input, reason) => {
  const { errors } = await save(input);
  expect(errors[0]?.message).toMatch(reason);
  expect(errors[0]!.extensions.status).toBeLessThan(500);
  expect(await listNames(app.main.user.key)).toEqual([]);
});

test('shows shared views to all users, with one default for each model', async () => {
  const { user, admin } = app.main;
  expect((await save({ name: 'Mine', isShared: true, isDefault: true })).errors[0]!.extensions.code).toBe(
    'FORBIDDEN',
  );
  await save({ name: 'Mine', isShared: true });
  for (const name of ['First', 'Second'])
    expect((await save({ name, isShared: true, isDefault: true }, undefined, admin.key)).errors).toEqual([]);
  await save({ name: 'Own', isDefault: true });
  expect(await listNames(admin.key)).toEqual(['First', 'Mine', 'Second']);
  expect((await listViews(user.key)).filter(({ isDefault }) => isDefault).map(({ name }) => name)).toEqual([
    'Own',
    'Second',
  ]);
  const otherTenant = await app.tenant('elsewhere');
  expect(await listNames(otherTenant.admin.key)).toEqual([]);
});

test('rejects a view that is sorted by records of a model that its user may not read', async () => {
  const view = {
    model: 'mail.activity',
    where: null,
    groupBy: null,
    columns: ['summary'],
    orderBy: [{ resModel: { field: 'NAME' } }],
  };
  expect((await save(view)).errors[0]?.extensions.code).toBe('ACCESS_ERROR');
  expect((await save(view, undefined, app.main.admin.key)).errors).toEqual([]);
});

test('stores a single term as a list', async () => {
  const orderBy = { country: { field: 'NAME' } };
  const { data } = await save({ name: 'Sorted', orderBy, groupBy: { field: 'COUNTRY' } });
  expect(data.savedViewSave).toMatchObject({ orderBy: [orderBy], groupBy: [{ field: 'COUNTRY' }] });
});

test("merges a user's UI state by key within a size limit", async () => {
  const { user, admin } = app.main;
  const keep = (values: unknown, key = user.key) =>
    postGraphql(app, 'mutation ($values: JSON!) { uiStateSave(values: $values) { values } }', {
      key,
      variables: { values },
    });
  const readState = async (key: string) =>
    (await postGraphql(app, '{ uiState { values } }', { key })).data.uiState.values;
  expect(await readState(user.key)).toEqual({});
  await keep({ theme: 'dark', panes: [200, 300] });
  expect((await keep({ theme: null, columns: { 'res.partner': ['name'] } })).data.uiStateSave.values).toEqual(
    {
      panes: [200, 300],
      columns: { 'res.partner': ['name'] },
    },
  );
  for (const invalid of [
    'text',
    [1],
    { long: 'x'.repeat(33_000) },
    Object.fromEntries(Array(201).fill(1).entries()),
  ])
    expect((await keep(invalid)).errors[0]!.message).toMatch(/values/);
  expect(await readState(user.key)).toMatchObject({ panes: [200, 300] });
  expect(await readState(admin.key)).toEqual({});
});

test("keeps an administrator's default view as default when it is shared again", async () => {
  const { user, admin } = app.main;
  const { id } = (await save({ name: 'Chosen', isShared: true })).data.savedViewSave;
  const view = { name: 'Chosen', isShared: true, isDefault: true };
  expect((await save(view, id, admin.key)).errors).toEqual([]);
  for (const change of [{}, { isShared: true }, { ...view, where: null }])
    expect((await save(change, id)).errors[0]!.extensions.code).toBe('FORBIDDEN');
  const remove = { variables: { id }, key: user.key };
  const response = await postGraphql(app, 'mutation ($id: ID!) { savedViewDelete(id: $id) }', remove);
  expect(response.errors[0]!.extensions.code).toBe('FORBIDDEN');
  expect(await listViews(user.key)).toContainEqual({ name: 'Chosen', isDefault: true });
  expect((await save({ ...view, isDefault: false }, id, admin.key)).errors).toEqual([]);
  expect((await save({ name: 'Mine again' }, id)).errors).toEqual([]);
});

test.each([
  ['where', { where: { trackingValues: { some: {} } } }],
  ['where', { where: { not: { parent: { trackingValues: { none: {} } } } } }],
  ['columns', { columns: ['subject', 'trackingValues.nodes.id'] }],
  ['columns', { columns: ['parent.trackingValues'] }],
])('rejects a view whose %s names a field that its user may not read (%#)', async (_part, input) => {
  const view = { model: 'mail.message', where: null, orderBy: null, groupBy: null, columns: ['subject'] };
  expect((await save({ ...view, ...input })).errors[0]?.extensions).toMatchObject({
    code: 'ACCESS_ERROR',
    status: 403,
  });
  expect((await save({ ...view, ...input }, undefined, app.main.admin.key)).errors).toEqual([]);
});

test.each([
  ['a NUL character', 'a\u0000b', 'a\ufffdb'],
  ['the first half of a surrogate pair', '\ud800', '\ufffd'],
  ['the second half of a surrogate pair', 'a\\\udc00', 'a\\\ufffd'],
  [
    'text that looks like its escape sequence',
    String.raw`\u0000 \\u0000 \ud800`,
    String.raw`\u0000 \\u0000 \ud800`,
  ],
  ['a whole character', '\u{1f600}', '\u{1f600}'],
])('stores %s in UI state without error', async (_what, text, expected) => {
  const values = { a: text, b: [{ [text]: text }] };
  const savedResponse = await postGraphql(
    app,
    'mutation ($values: JSON!) { uiStateSave(values: $values) { values } }',
    {
      key: app.main.user.key,
      variables: { values },
    },
  );
  expect(savedResponse.data.uiStateSave.values).toMatchObject({ a: expected, b: [{ [expected]: expected }] });
  const { errors, data } = await save({ name: text, where: { name: { in: [text] } } });
  if (text.includes('\0')) expect(errors[0]!.extensions.status).toBe(422);
  else expect(data.savedViewSave).toMatchObject({ name: expected, where: { name: { in: [expected] } } });
});
