import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { addContacts, runTool as callTool, switchMcp } from '../harness/facades/mcp.ts';

const app = setUpApp();
let ids: number[];
const callAsAdmin = (name: string, args: object) => callTool(app, app.main.admin.key, name, args);
const callAsUser = (name: string, args: object) => callTool(app, app.main.user.key, name, args);
const contacts = { model: 'res.partner', domain: [['name', 'like', 'Contact ']] };

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  ids = (await addContacts(app.main, 'Contact', 600)).map((row) => row.id);
});

test('search returns the records and their count, both as text and as structured data', async () => {
  const result = await callAsUser('search', {
    ...contacts,
    fields: ['name', 'parent_id'],
    limit: 2,
    order: 'name desc',
  });
  expect(result.isError).toBe(false);
  expect(result.structuredContent).toEqual({
    records: [
      { id: ids[599], name: 'Contact 0600' },
      { id: ids[598], name: 'Contact 0599' },
    ],
    _count: 2,
    total: 600,
    has_more: true,
    next_offset: 2,
  });
  expect(result.content).toHaveLength(1);
  expect(result.content[0]!.type).toBe('text');
  expect(JSON.parse(result.content[0]!.text)).toEqual(result.structuredContent);
});

test('search returns 50 rows by default and 500 at most', async () => {
  expect((await callAsUser('search', { ...contacts, fields: ['name'] })).structuredContent._count).toBe(50);
  for (const limit of [500, 501, 600, 2 ** 31, 1e15]) {
    const { structuredContent } = await callAsUser('search', { ...contacts, fields: ['name'], limit });
    expect(structuredContent._count).toBe(500);
    expect(structuredContent.records).toHaveLength(500);
  }
  for (const limit of [0, -1, 1.5, 'ten']) {
    expect((await callAsUser('search', { ...contacts, limit })).isError).toBe(true);
  }
});

test('search paginates by offset', async () => {
  const { structuredContent } = await callAsUser('search', {
    ...contacts,
    fields: ['name'],
    limit: 500,
    offset: 590,
    order: 'name',
  });
  expect(structuredContent.records[0].name).toBe('Contact 0591');
  expect(structuredContent._count).toBe(10);
});

test('a read-only key can read', async () => {
  const result = await callTool(app, app.main.readOnlyKey, 'count', contacts);
  expect(result.structuredContent).toEqual({ count: 600, _count: 600 });
});

test('treats a null argument as omitted', async () => {
  const result = await callAsUser('search', {
    ...contacts,
    fields: ['name'],
    limit: null,
    order: null,
    offset: null,
  });
  expect(result.structuredContent._count).toBe(50);
});

test('fields with a secret name are masked in search and get', async () => {
  for (const result of [
    await callAsAdmin('search', { model: 'res.users', fields: ['login', 'password'] }),
    await callAsAdmin('get', { model: 'res.users', ids: [app.main.admin.id], fields: ['login', 'password'] }),
  ]) {
    expect(result.structuredContent._count).toBeGreaterThan(0);
    for (const row of result.structuredContent.records) expect(row.password).toBe('***');
    expect(result.content[0]!.text).not.toContain('scrypt');
  }
});

test('get returns records in the order of the ids, and names missing ones', async () => {
  const requestedIds = [ids[2]!, 2_000_000_000, ids[0]!, 0, -1, 2_000_000_000];
  const { structuredContent } = await callAsUser('get', {
    model: 'res.partner',
    ids: requestedIds,
    fields: ['name'],
  });
  expect(structuredContent).toEqual({
    records: [
      { id: ids[2], name: 'Contact 0003' },
      { id: ids[0], name: 'Contact 0001' },
    ],
    missing_ids: [2_000_000_000, 0, -1],
    _count: 2,
  });
});

test('get returns at most the first 500 records', async () => {
  const { structuredContent } = await callAsUser('get', { model: 'res.partner', ids, fields: ['name'] });
  expect(structuredContent._count).toBe(500);
  expect(structuredContent.records[499].id).toBe(ids[499]);
});

test('get reports ids beyond the integer range as missing', async () => {
  const args = {
    model: 'res.partner',
    ids: [2 ** 31, ids[0], Number.MAX_SAFE_INTEGER, -(2 ** 40)],
    fields: ['name'],
  };
  expect((await callAsUser('get', args)).structuredContent).toEqual({
    records: [{ id: ids[0], name: 'Contact 0001' }],
    missing_ids: [2 ** 31, Number.MAX_SAFE_INTEGER, -(2 ** 40)],
    _count: 1,
  });
});

test('get rejects a record hidden by a rule', async () => {
  const foreignRows = await app.main.ctx.db.rows<{ id: number }>(
    sql`insert into svc_api_key (id, workspace_id, name, user_id, prefix, hash, scopes) values (nextval('svc_api_key_id_seq'), ${app.main.ctx.workspace.id}, 'x', ${app.main.admin.id}, 'uk_none', 'x', '{}') returning id`,
  );
  const result = await callAsUser('get', {
    model: 'svc.api.key',
    ids: [foreignRows[0]!.id],
    fields: ['name'],
  });
  expect(result).toEqual({
    content: [{ type: 'text', text: expect.stringMatching(/^Error: .*access/) }],
    isError: true,
  });
});

test("treats another workspace's records as missing", async () => {
  const otherTenant = await app.tenant('elsewhere');
  const [otherContact] = await addContacts(otherTenant, 'Theirs', 1);
  const { structuredContent } = await callAsAdmin('get', {
    model: 'res.partner',
    ids: [otherContact!.id],
    fields: ['name'],
  });
  expect(JSON.stringify(structuredContent)).not.toContain('Theirs');
  const result = await callAsAdmin('search', { model: 'res.partner', domain: [['name', 'like', 'Theirs']] });
  expect(result.structuredContent).toEqual({ records: [], _count: 0 });
});

test('count returns the number of matching records', async () => {
  expect((await callAsUser('count', contacts)).structuredContent).toEqual({ count: 600, _count: 600 });
  const all = (await callAsUser('count', { model: 'res.partner' })).structuredContent;
  expect(all.count).toBeGreaterThan(600);
});

test('list_models returns the models that the user can read, filtered by text', async () => {
  const userModels = (await callAsUser('list_models', {})).structuredContent;
  expect(userModels.models).toContainEqual({ model: 'res.partner', name: 'Contact' });
  expect(userModels._count).toBe(userModels.models.length);
  expect(userModels.models.map((entry: { model: string }) => entry.model)).not.toContain('svc.mcp.log');
  expect(JSON.stringify((await callAsAdmin('list_models', {})).structuredContent)).toContain('svc.mcp.log');
  const filtered = (await callAsAdmin('list_models', { filter: 'PARTNER', limit: 1 })).structuredContent;
  expect(filtered).toEqual({
    models: [{ model: 'res.partner', name: 'Contact' }],
    has_more: true,
    _count: 1,
  });
  const wizards = (await callAsAdmin('list_models', { filter: 'module.uninstall' })).structuredContent;
  expect(wizards).toEqual({ models: [], _count: 0 });
});

test("describe_model returns the user's access and the fields", async () => {
  const userModel = (await callAsUser('describe_model', { model: 'res.partner' })).structuredContent;
  expect(userModel.your_access).toEqual({ read: true, create: false, write: false, unlink: false });
  expect(
    (await callAsAdmin('describe_model', { model: 'res.partner' })).structuredContent.your_access.unlink,
  ).toBe(true);
  expect(userModel._count).toBe(userModel.fields.length);
  const parent = userModel.fields.find((field: { name: string }) => field.name === 'parent_id');
  expect(parent).toMatchObject({ type: 'many2one', relation: 'res.partner', required: false });
  expect(Object.values(parent)).not.toContain(null);
});

const mistakes: [string, string, object, RegExp][] = [
  ['an unknown model', 'search', { model: 'no.model' }, /no\.model/],
  ['a missing argument', 'search', {}, /model/],
  ['a misspelled argument', 'search', { model: 'res.partner', domian: [] }, /Did you mean domain/],
  ['an unknown field', 'search', { model: 'res.partner', fields: ['emial'] }, /emial/],
  [
    'a malformed domain',
    'search',
    { model: 'res.partner', domain: [['name', 'resembles', 'x']] },
    /operator/,
  ],
  ['a bad order', 'search', { model: 'res.partner', order: 'name; drop table res_partner' }, /order/],
  ['ids of the wrong type', 'get', { model: 'res.partner', ids: ['one'] }, /ids\.0/],
  ['a model the user may not read', 'count', { model: 'svc.mcp.log' }, /not allowed/],
];

test.for(mistakes)('returns a tool error with the reason for %s', async ([, name, args, reason]) => {
  const result = await callAsUser(name, args);
  expect(result.isError).toBe(true);
  expect(result).not.toHaveProperty('structuredContent');
  expect(result.content[0]!.text).toMatch(/^Error: /);
  expect(result.content[0]!.text).toMatch(reason);
});
