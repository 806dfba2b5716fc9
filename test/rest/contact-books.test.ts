import { UseSend } from 'usesend-js';
import { beforeAll, expect, test, vi } from 'vitest';
import { buildExpectedEnvelope, setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();
let client: UseSend;
beforeAll(async () => {
  client = new UseSend(team.main.teamKey, team.url);
});

const callBooks = (method: string, path = '', body?: unknown) =>
  team.ask(method, `/api/v1/contactBooks${path}`, body === undefined ? {} : { body });

test('creates, lists, reads, changes and deletes contact books with the Node client', async () => {
  const createdBook = await client.contactBooks.create({ name: 'Readers' });
  expect(createdBook.error).toBeNull();
  const id = createdBook.data!.id;
  expect(id).toMatch(/^[a-z0-9]{20,}$/);
  const listedResponse = await client.contactBooks.list();
  expect(listedResponse.data!.find((book) => book.id === id)).toMatchObject({
    name: 'Readers',
    _count: { contacts: 0 },
  });
  await client.contacts.create(id, { email: 'ann@example.net' });
  expect((await client.contactBooks.get(id)).data).toMatchObject({
    name: 'Readers',
    _count: { contacts: 1 },
  });
  const changedResponse = await client.contactBooks.update(id, { name: 'Friends', emoji: '🎈' });
  expect(changedResponse.data).toMatchObject({ id, name: 'Friends', emoji: '🎈' });
  const result = await client.contactBooks.delete(id);
  expect(result.data).toMatchObject({ id, success: true, message: expect.any(String) });
  expect((await client.contactBooks.get(id)).error!.code).toBe('NOT_FOUND');
});

test('creates a contact book with the documented fields, and disables double opt-in by default', async () => {
  const { status, json } = await callBooks('POST', '', { name: 'Plain', unknown: 1 });
  expect(status).toBe(200);
  expect(json).toEqual({
    id: json.id,
    name: 'Plain',
    teamId: team.main.ctx.workspace.id,
    properties: {},
    variables: [],
    emoji: '📙',
    doubleOptInEnabled: false,
    doubleOptInFrom: null,
    doubleOptInSubject: 'Please confirm your subscription',
    doubleOptInContent: expect.stringContaining('{{doubleOptInUrl}}'),
    createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    updatedAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
  });
});

test.each([
  [{}, /name/],
  [{ name: ' ' }, /name/],
  [{ name: 'x', variables: ['first name'] }, /variables/],
  [{ name: 'x', variables: ['EMAIL'] }, /EMAIL/],
  [{ name: 'x', doubleOptInContent: '{"type":"doc","content":[]}' }, /doubleOptInUrl/],
  [{ name: 'x', doubleOptInContent: 'no json {{doubleOptInUrl}}' }, /JSON/],
  [{ name: 'x', doubleOptInFrom: 'hello@nowhere.test' }, /nowhere\.test/],
  [{ name: 'x', doubleOptInFrom: 'nobody' }, /doubleOptInFrom/],
  [{ name: 'x', properties: { a: { b: 1 } } }, /properties/],
])('rejects %j with BAD_REQUEST, and names the field', async (body, pattern) => {
  const { status, json } = await callBooks('POST', '', body);
  expect([status, json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
  expect(json.message).toMatch(pattern);
});

test('ignores letter case in variable names, and replaces a blank subject with the default', async () => {
  const { json } = await callBooks('POST', '', { name: 'v', variables: ['Plan', 'plan', 'city_1'] });
  expect(json.variables).toEqual(['Plan', 'city_1']);
  await callBooks('PATCH', `/${json.id}`, { doubleOptInSubject: 'Really?' });
  const blank = await callBooks('PATCH', `/${json.id}`, { doubleOptInSubject: ' ' });
  expect(blank.json.doubleOptInSubject).toBe('Please confirm your subscription');
});

test("hides another team's contact book", async () => {
  const otherTenant = await team.tenant('elsewhere');
  const otherResponse = await team.ask('POST', '/api/v1/contactBooks', {
    key: otherTenant.teamKey,
    body: { name: 'Theirs' },
  });
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'mine' }],
    ['DELETE', '', undefined],
    ['GET', '/contacts', undefined],
    ['POST', '/contacts', { email: 'a@b.test' }],
    ['GET', '/contacts/x', undefined],
    ['PATCH', '/contacts/x', {}],
    ['PUT', '/contacts/x', { email: 'a@b.test' }],
    ['DELETE', '/contacts/x', undefined],
    ['POST', '/contacts/bulk', []],
    ['DELETE', '/contacts/bulk', { contactIds: ['x'] }],
    ['GET', '/contacts/export', undefined],
  ] as const) {
    const response = await callBooks(method, `/${otherResponse.json.id}${path}`, body);
    expect([response.status, response.json], `${method} ${path}`).toEqual([
      404,
      buildExpectedEnvelope('NOT_FOUND'),
    ]);
  }
  expect((await callBooks('GET')).json.map((book: { name: string }) => book.name)).not.toContain('Theirs');
});

test('rejects deleting a contact book while a campaign is sent to it', async () => {
  const { json: book } = await callBooks('POST', '', { name: 'Busy' });
  await callBooks('POST', `/${book.id}/contacts`, { email: 'a@example.net' });
  const campaign = await team.ask('POST', '/api/v1/campaigns', {
    body: {
      name: 'Later',
      from: 'hello@main.test',
      subject: 's',
      contactBookId: book.id,
      html: '{{usesend_unsubscribe_url}}',
      scheduledAt: 'in 2 days',
    },
  });
  expect(campaign.status).toBe(200);
  const response = await callBooks('DELETE', `/${book.id}`);
  expect(response.status).toBe(400);
  expect(response.json.message).toContain('Later');
  await team.ask('DELETE', `/api/v1/campaigns/${campaign.json.id}`);
  expect((await callBooks('DELETE', `/${book.id}`)).status).toBe(200);
});

test('subscribes a contact to a book with double opt-in only through the form in the confirmation email', async () => {
  const { json: book } = await callBooks('POST', '', {
    name: 'Careful',
    doubleOptInEnabled: true,
    doubleOptInFrom: 'News <news@main.test>',
    doubleOptInSubject: 'Hello {{firstName, fallback=you}}, please confirm',
  });
  const at = `/${book.id}/contacts`;
  const { contactId } = (await callBooks('POST', at, { email: 'new@example.net', firstName: 'Nora' })).json;
  const readContact = async () => (await callBooks('GET', `${at}/${contactId}`)).json;
  expect(await readContact()).toMatchObject({ subscribed: false, unsubscribeReason: null });
  const mail = (await team.ask('GET', '/api/v1/emails')).json.data[0];
  expect(mail).toMatchObject({
    to: ['new@example.net'],
    from: 'News <news@main.test>',
    subject: 'Hello Nora, please confirm',
  });
  const url = /href="([^"]*\/subscribe\?[^"]*)"/.exec(mail.html)![1]!.replaceAll('&amp;', '&');
  const lookedResponse = await fetch(url, { headers: { accept: 'text/html' } });
  expect(lookedResponse.status).toBe(200);
  expect(await lookedResponse.text()).toContain('<form');
  expect(await readContact()).toMatchObject({ subscribed: false });
  expect((await fetch(url.replace(/hash=./, 'hash=0x'), { method: 'POST' })).status).toBe(400);
  expect((await fetch(url.replace(/expiresAt=\d/, 'expiresAt=9'), { method: 'POST' })).status).toBe(400);
  const confirmedResponse = await fetch(url, { method: 'POST' });
  expect(confirmedResponse.status).toBe(200);
  expect(await readContact()).toMatchObject({ subscribed: true, unsubscribeReason: null });
  // Adding a subscribed address again requests no confirmation.
  await callBooks('POST', at, { email: 'NEW@example.net', lastName: 'Lee' });
  expect(await readContact()).toMatchObject({ subscribed: true, lastName: 'Lee' });
  expect((await team.ask('GET', '/api/v1/emails')).json.data[0].id).toBe(mail.id);
  // Confirming again does not revert a later unsubscription.
  await callBooks('PATCH', `${at}/${contactId}`, { subscribed: false });
  expect((await fetch(url, { method: 'POST' })).status).toBe(400);
  expect(await readContact()).toMatchObject({ subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' });
});

test('expires a confirmation link after seven days', async () => {
  const { json: book } = await callBooks('POST', '', { name: 'Slow', doubleOptInEnabled: true });
  await callBooks('POST', `/${book.id}/contacts`, { email: 'slow@example.net' });
  const mail = (await team.ask('GET', '/api/v1/emails')).json.data[0];
  expect(mail.from).toBe('hello@main.test');
  const url = /href="([^"]*\/subscribe\?[^"]*)"/.exec(mail.html)![1]!.replaceAll('&amp;', '&');
  const expires = Number(new URL(url).searchParams.get('expiresAt'));
  expect(Math.abs(expires - Date.now() - 7 * 86_400_000)).toBeLessThan(60_000);
  vi.setSystemTime(expires + 1);
  try {
    expect((await fetch(url, { method: 'POST' })).status).toBe(400);
  } finally {
    vi.useRealTimers();
  }
});

test('requests confirmation for contacts created as records, unless they are created as subscribed', async () => {
  const { json: book } = await callBooks('POST', '', { name: 'Records', doubleOptInEnabled: true });
  const key = team.main.admin.key;
  const domain = [['public_id', '=', book.id]];
  const [{ id }] = (
    await team.ask('POST', '/json/2/svc.contact.book/search_read', { key, body: { domain, fields: ['id'] } })
  ).json;
  const list = ['one', 'two', 'three'].map((name) => ({ email: `${name}@records.test`, book_id: id }));
  const vals_list = [list[0], { ...list[1], subscribed: true }, { ...list[2], subscribed: false }];
  expect((await team.ask('POST', '/json/2/svc.contact/create', { key, body: { vals_list } })).status).toBe(
    200,
  );
  expect((await callBooks('GET', `/${book.id}/contacts`)).json).toMatchObject([
    { email: 'one@records.test', subscribed: false, unsubscribeReason: null },
    { email: 'two@records.test', subscribed: true },
    { email: 'three@records.test', subscribed: false, unsubscribeReason: 'UNSUBSCRIBED' },
  ]);
  const confirmations = (await team.ask('GET', '/api/v1/emails')).json.data.filter((mail: { to: string[] }) =>
    mail.to[0]!.endsWith('@records.test'),
  );
  expect(confirmations.map((mail: { to: string[] }) => mail.to)).toEqual([['one@records.test']]);
});

test('rejects contacts that could not confirm because links are unreachable over SMTP', async () => {
  const { json } = await callBooks('POST', '', { name: 'Confirmed', doubleOptInEnabled: true });
  const add = (email: string) => callBooks('POST', `/${json.id}/contacts`, { email });
  const { config } = team.runtime;
  const { mailTransport, publicUrl } = config;
  try {
    config.mailTransport = 'smtp';
    const rejection = await add('ann@example.net');
    expect([rejection.status, rejection.json.message]).toEqual([400, expect.stringContaining('PUBLIC_URL')]);
    expect((await callBooks('GET', `/${json.id}`)).json._count.contacts).toBe(0);
    config.publicUrl = 'https://mail.example';
    expect((await add('ann@example.net')).status).toBe(200);
  } finally {
    Object.assign(config, { mailTransport, publicUrl });
  }
});
