import { createElement } from 'react';
import { Unsend } from 'unsend';
import { beforeAll, expect, test } from 'vitest';
import { buildMail, setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();
let client: Unsend;
let book: string;
beforeAll(async () => {
  client = new Unsend(team.main.teamKey, team.url);
  book = await team.book();
});

test('the old Node client sends, reads, moves and cancels an email', async () => {
  const { data, error } = await client.emails.send(buildMail({ scheduledAt: '2099-01-01T10:00:00Z' }));
  expect(error).toBeNull();
  const id = data!.emailId!;
  expect((await client.emails.get(id)).data).toMatchObject({ id, subject: 'Hello', emailEvents: [] });
  const movedResponse = await client.emails.update(id, { scheduledAt: '2098-01-01T10:00:00Z' });
  expect(movedResponse).toEqual({ data: { emailId: id }, error: null });
  expect(await team.email(id)).toMatchObject({ scheduledAt: '2098-01-01T10:00:00.000Z' });
  expect(await client.emails.cancel(id)).toEqual({ data: { emailId: id }, error: null });
  expect(await team.email(id)).toMatchObject({ latestStatus: 'CANCELLED' });
});

test('the old Node client renders a React element and sends the HTML', async () => {
  const { data, error } = await client.emails.create({
    to: 'ann@example.net',
    from: 'hello@main.test',
    subject: 'Rendered',
    react: createElement('h1', null, 'Hello Ann'),
  });
  expect(error).toBeNull();
  expect((await team.email(data!.emailId!)).html).toContain('<h1>Hello Ann</h1>');
});

test('the old Node client sends a batch and returns the ids in order', async () => {
  const { data, error } = await client.emails.batch([
    buildMail({ subject: 'one' }),
    buildMail({ subject: 'two' }),
  ]);
  expect(error).toBeNull();
  const subjects = await Promise.all(data!.map(async ({ emailId }) => (await team.email(emailId)).subject));
  expect(subjects).toEqual(['one', 'two']);
});

test('the old Node client creates, reads, changes, upserts and deletes a contact', async () => {
  const email = 'old@example.net';
  const contact = await client.contacts.create(book, {
    email,
    firstName: 'Old',
    properties: { plan: 'pro' },
  });
  expect(contact.error).toBeNull();
  const id = contact.data!.contactId!;
  expect((await client.contacts.get(book, id)).data).toMatchObject({
    id,
    email,
    firstName: 'Old',
    subscribed: true,
    properties: { plan: 'pro' },
    contactBookId: book,
  });
  const changedResponse = await client.contacts.update(book, id, { lastName: 'Friend' });
  expect(changedResponse).toEqual({ data: { contactId: id }, error: null });
  const upsertedResponse = await client.contacts.upsert(book, id, { email, firstName: 'New' });
  expect(upsertedResponse).toEqual({ data: { contactId: id }, error: null });
  expect((await client.contacts.get(book, id)).data).toMatchObject({
    firstName: 'New',
    lastName: 'Friend',
  });
  expect((await client.contacts.delete(book, id)).data).toEqual({ success: true });
  expect((await client.contacts.get(book, id)).error!.code).toBe('NOT_FOUND');
});

test('the old Node client never throws on API errors: error and error.error have code and message', async () => {
  const cases: [Unsend, object, string][] = [
    [client, buildMail({ subject: undefined }), 'BAD_REQUEST'],
    [client, buildMail({ templateId: 'nope' }), 'NOT_FOUND'],
    [new Unsend('us_wrong', team.url), buildMail(), 'UNAUTHORIZED'],
    [new Unsend(team.main.user.key, team.url), buildMail(), 'FORBIDDEN'],
  ];
  for (const [sender, body, code] of cases) {
    const { data, error } = await sender.emails.send(body as never);
    expect(data).toBeNull();
    expect(error).toMatchObject({ code, error: { code, message: expect.any(String) } });
  }
});
