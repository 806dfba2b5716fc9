import { UseSend } from 'usesend-js';
import { beforeAll, expect, test } from 'vitest';
import { parseCsvCell, toCsvCell } from '../../schema/email/contacts/csv-cell.ts';
import { sql } from '../../src/db/sql.ts';
import { buildExpectedEnvelope, setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();
let client: UseSend;
let book: string;
beforeAll(async () => {
  client = new UseSend(team.main.teamKey, team.url);
  book = await team.book();
});

const callContacts = (method: string, path = '', body?: unknown, bookId = book) =>
  team.ask(method, `/api/v1/contactBooks/${bookId}/contacts${path}`, body === undefined ? {} : { body });

const loadEvents = async () =>
  (
    await team.runtime.db.rows<{ topic: string; payload: { email: string } }>(
      sql`select topic, payload from svc_event where workspace_id = ${team.main.ctx.workspace.id} and topic like 'contact.%' order by id`,
    )
  ).map(({ topic, payload }) => `${topic} ${payload.email}`);

test('creates, reads, changes, upserts and deletes contacts with the Node client', async () => {
  const contact = await client.contacts.create(book, {
    email: 'ann@example.net',
    firstName: 'Ann',
    properties: { plan: 'pro' },
  });
  expect(contact.error).toBeNull();
  const id = contact.data!.contactId!;
  expect((await client.contacts.get(book, id)).data).toEqual({
    id,
    email: 'ann@example.net',
    firstName: 'Ann',
    lastName: null,
    subscribed: true,
    unsubscribeReason: null,
    properties: { plan: 'pro' },
    contactBookId: book,
    createdAt: expect.stringMatching(/\.\d{3}Z$/),
    updatedAt: expect.stringMatching(/\.\d{3}Z$/),
  });
  expect(
    (await client.contacts.update(book, id, { lastName: 'Lee', properties: { city: 'Bonn' } })).data,
  ).toEqual({
    contactId: id,
  });
  const upsertedResponse = await client.contacts.upsert(book, 'whatever', {
    email: 'ann@example.net',
    firstName: 'Anna',
  });
  expect(upsertedResponse.data!.contactId).toBe(id);
  expect((await client.contacts.get(book, id)).data).toMatchObject({
    firstName: 'Anna',
    lastName: 'Lee',
    properties: { plan: 'pro', city: 'Bonn' },
  });
  expect((await client.contacts.delete(book, id)).data).toEqual({ success: true });
  expect((await client.contacts.get(book, id)).error!.code).toBe('NOT_FOUND');
  expect((await client.contacts.delete(book, id)).error!.code).toBe('NOT_FOUND');
});

test('sends a webhook event for every change to a contact', async () => {
  const id = (await callContacts('POST', '', { email: 'told@example.net' })).json.contactId;
  await callContacts('PATCH', `/${id}`, { firstName: 'T' });
  await callContacts('POST', '/bulk', [{ email: 'told@example.net' }, { email: 'told2@example.net' }]);
  await callContacts('DELETE', `/${id}`);
  expect((await loadEvents()).filter((event) => event.includes('told'))).toEqual([
    'contact.created told@example.net',
    'contact.updated told@example.net',
    'contact.updated told@example.net',
    'contact.created told2@example.net',
    'contact.deleted told@example.net',
  ]);
});

test('stores each address once per book, regardless of letter case', async () => {
  const first = await callContacts('POST', '', { email: 'Case@Example.net' });
  const second = await callContacts('POST', '', { email: 'case@example.NET', firstName: 'C' });
  expect(second.json).toEqual(first.json);
  expect((await callContacts('GET', '?emails=CASE@example.net')).json).toMatchObject([
    { email: 'Case@Example.net', firstName: 'C' },
  ]);
});

test('resubscribes an unsubscribed contact only with PATCH', async () => {
  const body = { email: 'gone@example.net' };
  const id = (await callContacts('POST', '', { ...body, subscribed: false })).json.contactId;
  const readContact = async () => (await callContacts('GET', `/${id}`)).json;
  expect(await readContact()).toMatchObject({ subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' });
  for (const [method, path, requestBody] of [
    ['POST', '', { ...body, subscribed: true }],
    ['PUT', `/${id}`, { ...body, subscribed: true }],
    ['POST', '/bulk', [{ ...body, subscribed: true }]],
  ] as const) {
    await callContacts(method, path, requestBody);
    expect(await readContact()).toMatchObject({ subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' });
  }
  await callContacts('PATCH', `/${id}`, { subscribed: true });
  expect(await readContact()).toMatchObject({ subscribed: true, unsubscribeReason: null });
  await callContacts('PATCH', `/${id}`, { subscribed: false, firstName: null });
  expect(await readContact()).toMatchObject({
    subscribed: false,
    unsubscribeReason: 'UNSUBSCRIBED',
    firstName: null,
  });
});

test('adds all or none of up to 1000 contacts in a bulk call, and merges duplicates', async () => {
  const bookId = await team.book();
  const contacts = Array.from({ length: 1000 }, (_, i) => ({
    email: `bulk${i % 999}@example.net`,
    firstName: `n${i}`,
  }));
  const addedResponse = await client.contacts.bulkCreate(bookId, contacts);
  expect(addedResponse.error).toBeNull();
  expect(addedResponse.data).toMatchObject({ count: 1000, message: expect.any(String) });
  const listedResponse = await callContacts('GET', '', undefined, bookId);
  expect(listedResponse.json).toHaveLength(999);
  expect(
    listedResponse.json.find((item: { email: string }) => item.email === 'bulk0@example.net').firstName,
  ).toBe('n999');
  expect(
    (await callContacts('POST', '/bulk', [...contacts, { email: 'x@example.net' }], bookId)).json,
  ).toEqual(buildExpectedEnvelope('BAD_REQUEST'));
  const response = await callContacts(
    'POST',
    '/bulk',
    [{ email: 'fine@example.net' }, { email: 'none' }],
    bookId,
  );
  expect([response.status, response.json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
  expect(response.json.message).toMatch(/^1: email/);
  expect((await callContacts('GET', '?emails=fine@example.net', undefined, bookId)).json).toEqual([]);
});

test('deletes the named contacts in a bulk call', async () => {
  const bookId = await team.book();
  await callContacts(
    'POST',
    '/bulk',
    [{ email: 'd1@example.net' }, { email: 'd2@example.net' }, { email: 'd3@example.net' }],
    bookId,
  );
  const ids = (await callContacts('GET', '', undefined, bookId)).json.map((item: { id: string }) => item.id);
  const foreign = (await callContacts('POST', '', { email: 'keep@example.net' })).json.contactId;
  const result = await client.contacts.bulkDelete(bookId, {
    contactIds: [ids[0], ids[1], foreign, 'nothing'],
  });
  expect(result.error).toBeNull();
  expect(result.data).toEqual({ success: true, count: 2 });
  expect((await callContacts('GET', '', undefined, bookId)).json).toHaveLength(1);
  expect((await callContacts('GET', `/${foreign}`)).status).toBe(200);
  expect((await callContacts('DELETE', '/bulk', { contactIds: [] }, bookId)).status).toBe(400);
});

test("returns a book's contacts as arrays in pages, with the counts in headers", async () => {
  const bookId = await team.book();
  await callContacts(
    'POST',
    '/bulk',
    Array.from({ length: 7 }, (_, i) => ({ email: `p${i}@example.net` })),
    bookId,
  );
  const pages = [];
  for (const page of [1, 2, 3, 4]) {
    const response = await callContacts('GET', `?page=${page}&limit=3`, undefined, bookId);
    expect(response.status).toBe(200);
    expect([response.headers.get('x-total-count'), response.headers.get('x-total-page')]).toEqual(['7', '3']);
    pages.push(response.json.length);
  }
  expect(pages).toEqual([3, 3, 1, 0]);
  const all = (await callContacts('GET', '', undefined, bookId)).json;
  const [a, b] = [all[1], all[4]];
  expect((await callContacts('GET', `?ids=${a.id},${b.id}`, undefined, bookId)).json).toEqual([a, b]);
  expect(
    (await callContacts('GET', `?emails=p2@example.net, P3@example.net`, undefined, bookId)).json,
  ).toHaveLength(2);
  for (const query of ['page=0', 'page=x', 'limit=0', 'limit=5001', 'limit=1.5'])
    expect((await callContacts('GET', `?${query}`, undefined, bookId)).json, query).toEqual(
      buildExpectedEnvelope('BAD_REQUEST'),
    );
});

test('lists contacts as an object with data, count and totalPage, from page 1 by default', async () => {
  const otherTenant = await team.tenant('lister');
  const request = (path: string, body?: unknown) =>
    team.ask(body ? 'POST' : 'GET', `/api/v1${path}`, {
      key: otherTenant.teamKey,
      ...(body ? { body } : {}),
    });
  const [one, two] = [
    (await request('/contactBooks', { name: '1' })).json.id,
    (await request('/contactBooks', { name: '2' })).json.id,
  ];
  const buildContacts = (bookId: string) =>
    Array.from({ length: 30 }, (_, i) => ({ email: `${bookId.slice(-4)}${i}@example.net` }));
  for (const bookId of [one, two])
    await request(`/contactBooks/${bookId}/contacts/bulk`, buildContacts(bookId));
  const first = (await request('/contacts')).json;
  expect(first).toMatchObject({ count: 60, totalPage: 2 });
  expect(first.data).toHaveLength(50);
  const second = (await request('/contacts?page=2')).json;
  expect(second.data).toHaveLength(10);
  expect((await request('/contacts?page=1')).json).toEqual(first);
  const walked = new Set([...first.data, ...second.data].map((item: { id: string }) => item.id));
  expect(walked.size).toBe(60);
  expect((await request('/contacts?page=3&limit=25')).json).toMatchObject({ count: 60, totalPage: 3 });
  expect((await request('/contacts?page=0')).json).toEqual(buildExpectedEnvelope('BAD_REQUEST'));
  expect((await request('/contacts?page=9999999')).json.message).toContain('1000000');
});

test.each<[string, object, RegExp]>([
  ['no address', {}, /email/],
  ['a word instead of an address', { email: 'nobody' }, /email/],
  ['an address with a name', { email: 'Ann <ann@example.net>' }, /email/],
  ['an address with a header', { email: 'a@b.test\r\nBcc: x@y.test' }, /email/],
  ['a first name of 256 letters', { email: 'a@b.test', firstName: 'x'.repeat(256) }, /firstName/],
  ['a list as a property', { email: 'a@b.test', properties: { a: ['b'] } }, /properties/],
  ['a string as properties', { email: 'a@b.test', properties: 'x' }, /properties/],
  ['a string as subscribed', { email: 'a@b.test', subscribed: 'maybe' }, /subscribed/],
])('rejects an invalid contact with BAD_REQUEST, and names the field: %s', async (_, body, pattern) => {
  const { status, json } = await callContacts('POST', '', body);
  expect([status, json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
  expect(json.message).toMatch(pattern);
});

test('creates one contact for concurrent requests with the same address', async () => {
  const bookId = await team.book();
  const responses = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      callContacts(
        'POST',
        '/bulk',
        [{ email: 'z@example.net' }, { email: `y${i % 3}@example.net` }, { email: 'a@example.net' }].sort(
          () => (i % 2 ? 1 : -1),
        ),
        bookId,
      ),
    ),
  );
  expect(responses.map((response) => response.status)).toEqual(responses.map(() => 200));
  expect((await callContacts('GET', '', undefined, bookId)).json).toHaveLength(5);
});

const upload = (csv: string | Uint8Array, bookId: string, type = 'text/csv') =>
  team.ask('POST', `/api/v1/contactBooks/${bookId}/contacts/import`, {
    body: csv,
    headers: { 'content-type': type },
  });

test('imports a CSV file with names and properties, reports errors by line, and merges duplicates', async () => {
  const bookId = await team.book();
  const csv = [
    '\ufeffEmail,First Name,last_name,Plan,City,subscribed',
    'ann@example.net,Ann,Lee,pro,"Bonn, am Rhein",',
    'not an address,,,,,',
    'bob@example.net,"Bob ""B""",,,,no',
    '',
    'ANN@example.net,Anna,,,Köln,yes',
    'carl@example.net,,,,,perhaps',
    'dora@example.net',
  ].join('\r\n');
  const { status, json } = await upload(csv, bookId);
  expect(status).toBe(200);
  expect(json).toMatchObject({ created: 3, updated: 0, duplicates: 1, failed: 2 });
  expect(json.errors).toEqual([
    { line: 3, message: expect.stringContaining('email') },
    { line: 7, message: expect.stringContaining('subscribed') },
  ]);
  const listed = (await callContacts('GET', '', undefined, bookId)).json;
  const findByEmail = (email: string) => listed.find((item: { email: string }) => item.email === email);
  expect(findByEmail('ann@example.net')).toMatchObject({
    firstName: 'Anna',
    lastName: 'Lee',
    properties: { Plan: 'pro', City: 'Köln' },
    subscribed: true,
  });
  expect(findByEmail('bob@example.net')).toMatchObject({
    firstName: 'Bob "B"',
    properties: {},
    subscribed: false,
  });
  expect(findByEmail('dora@example.net')).toMatchObject({ firstName: null, subscribed: true });
  expect((await upload(csv, bookId)).json).toMatchObject({
    created: 0,
    updated: 3,
    duplicates: 1,
    failed: 2,
  });
});

test.each([
  ['semicolons', 'email;firstName\nann@example.net;A,B'],
  ['tabs', 'email\tfirstName\rann@example.net\tA,B'],
])('parses a file separated by %s', async (_name, csv) => {
  const bookId = await team.book();
  expect((await upload(csv.replace('\r', '\n'), bookId)).json).toMatchObject({ created: 1, failed: 0 });
  expect((await callContacts('GET', '', undefined, bookId)).json).toMatchObject([
    { email: 'ann@example.net', firstName: 'A,B' },
  ]);
});

test('returns BAD_REQUEST if a file is empty, is not CSV, or has no address column', async () => {
  for (const [csv, type] of [
    ['name\nAnn', 'text/csv'],
    ['\n\n', 'text/csv'],
    ['email\na@example.net', 'application/json'],
  ] as const)
    expect((await upload(csv, book, type)).json, csv).toEqual(buildExpectedEnvelope('BAD_REQUEST'));
  expect((await callContacts('POST', '/import')).status).toBe(400);
});

test('reports lines that are not valid UTF-8, and imports the others', async () => {
  const bookId = await team.book();
  const latin = Buffer.from('email,firstName\na@example.net,J\xf6rg\nb@example.net,Ann\n', 'latin1');
  const { json } = await upload(latin, bookId);
  expect(json).toMatchObject({ created: 1, failed: 1 });
  expect(json.errors).toEqual([{ line: 2, message: expect.stringContaining('UTF-8') }]);
});

test('exports properties named like built-in object members only for contacts that have them', async () => {
  const bookId = await team.book();
  const contacts: { email: string; properties: object }[] = [
    { email: 'a@example.net', properties: { constructor: 'Lego', toString: 'x' } },
    { email: 'b@example.net', properties: {} },
  ];
  await callContacts('POST', '/bulk', contacts, bookId);
  const csv = (await callContacts('GET', '/export', undefined, bookId)).text;
  expect(csv).toContain('Lego');
  expect(csv).not.toMatch(/function|object/i);
});

test('exports no formulas, and imports an exported file without changes', async () => {
  const bookId = await team.book();
  const contacts = [
    {
      email: 'a@example.net',
      firstName: '=cmd()',
      lastName: "'=x",
      properties: { note: '@SUM(1)\n+1', q: 'say "hi"' },
    },
    { email: '+b@example.net', firstName: '-1+2', lastName: "''quoted", properties: { note: "'plain" } },
  ];
  await callContacts('POST', '/bulk', contacts, bookId);
  const csv = (await callContacts('GET', '/export', undefined, bookId)).text;
  expect(csv).not.toMatch(/(^|,|\r\n|")[=+\-@]/);
  const secondBook = await team.book();
  expect((await upload(csv, secondBook)).json).toMatchObject({ created: 2, failed: 0 });
  const toPlain = (list: Record<string, unknown>[]) =>
    list.map(({ email, firstName, lastName, properties }) => ({ email, firstName, lastName, properties }));
  const listContacts = async (query: string) =>
    toPlain((await callContacts('GET', '', undefined, query)).json);
  expect(await listContacts(secondBook)).toEqual(await listContacts(bookId));
});

test('parses an escaped cell as the original text', () => {
  for (const text of ['', 'a', '=1', "'=1", "''=1", "'a", '+', '-x', '@', '\t', "''", '"', '","'])
    expect(
      parseCsvCell(
        toCsvCell(text)
          .replace(/^"([\s\S]*)"$/, '$1')
          .replaceAll('""', '"'),
      ),
    ).toBe(text);
});

test('the record API and GraphQL apply the same validation to contacts', async () => {
  const call = (method: string, args: object) =>
    team.ask('POST', `/json/2/svc.contact/${method}`, { key: team.main.admin.key, body: args });
  const [bookId] = (
    await team.ask('POST', '/json/2/svc.contact.book/create', {
      key: team.main.admin.key,
      body: { vals_list: [{ name: 'By record' }] },
    })
  ).json;
  expect((await call('create', { vals_list: [{ email: 'none', book_id: bookId }] })).status).toBe(400);
  const contactIds = await call('create', {
    vals_list: [
      { email: 'rec@example.net', book_id: bookId },
      { email: 'rec2@example.net', book_id: bookId },
    ],
  });
  expect(contactIds.status).toBe(200);
  expect((await call('create', { vals_list: [{ email: 'REC@example.net', book_id: bookId }] })).status).toBe(
    422,
  );
  await call('write', { ids: [contactIds.json[0]], vals: { subscribed: false } });
  const listed = (await team.ask('GET', '/api/v1/contacts?emails=rec@example.net,rec2@example.net')).json
    .data;
  expect(listed).toMatchObject([
    { subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' },
    { subscribed: true },
  ]);
  await call('unlink', { ids: [contactIds.json[1]] });
  expect((await loadEvents()).filter((event) => event.includes('rec'))).toEqual([
    'contact.created rec@example.net',
    'contact.created rec2@example.net',
    'contact.updated rec@example.net',
    'contact.deleted rec2@example.net',
  ]);
});
