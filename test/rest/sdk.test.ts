import { UseSend } from 'usesend-js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { mail, startTeam, type Team } from './team.ts';

let team: Team;
let client: UseSend;
beforeAll(async () => {
  team = await startTeam();
  client = new UseSend(team.main.teamKey, team.url);
});
afterAll(() => team.close());

test('the Node client, built from key and address, sends and reads the id from data.emailId', async () => {
  const { data, error } = await client.emails.send(mail());
  expect(error).toBeNull();
  expect(data!.emailId).toMatch(/^[a-z0-9]{20,}$/);
});

test.each(['/', '/api/v1', '/api/v1/'])(
  'the Node client works with the address followed by %s',
  async (end) => {
    const { data, error } = await new UseSend(team.main.teamKey, team.url + end).emails.send(mail());
    expect(error).toBeNull();
    expect(data!.emailId).toBeTruthy();
  },
);

test('the Node client sends a batch and gets the ids in order', async () => {
  const { data, error } = await client.emails.batch([mail({ subject: 'one' }), mail({ subject: 'two' })]);
  expect(error).toBeNull();
  expect(data).toHaveLength(2);
  const second = await client.emails.get(data![1]!.emailId);
  expect(second.data).toMatchObject({ id: data![1]!.emailId, subject: 'two', emailEvents: [] });
});

test('the Node client repeats a request with its idempotencyKey and gets the first answer', async () => {
  const options = { idempotencyKey: 'sdk-1' };
  const first = await client.emails.send(mail(), options);
  const again = await client.emails.send(mail(), options);
  expect(again).toEqual(first);
  const other = await client.emails.send(mail({ subject: 'another' }), options);
  expect(other.data).toBeNull();
  expect(other.error!.code).toBe('NOT_UNIQUE');
});

test('the Node client lists the domains', async () => {
  const { data, error } = await client.domains.list();
  expect(error).toBeNull();
  expect(data!.map((domain) => domain.name)).toEqual(['main.test']);
});

test('the Node client never throws for an error of the API: code and message are in error and in error.error', async () => {
  const cases: [UseSend, object, string][] = [
    [client, mail({ subject: undefined }), 'BAD_REQUEST'],
    [client, mail({ templateId: 'nope' }), 'NOT_FOUND'],
    [new UseSend('us_wrong', team.url), mail(), 'UNAUTHORIZED'],
    [new UseSend(team.main.user.key, team.url), mail(), 'FORBIDDEN'],
  ];
  for (const [sender, body, code] of cases) {
    const { data, error } = await sender.emails.send(body as never);
    expect(data).toBeNull();
    expect(error).toMatchObject({
      code,
      message: expect.any(String),
      error: { code, message: expect.any(String) },
    });
  }
});

test('the Node client reads 404 for an email that is not there', async () => {
  const { data, error } = await client.emails.get('nothing');
  expect(data).toBeNull();
  expect(error!.code).toBe('NOT_FOUND');
});
