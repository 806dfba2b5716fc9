import { UseSend } from 'usesend-js';
import { beforeAll, expect, test } from 'vitest';
import { postGraphql } from '../harness/facades/graphql.ts';
import { buildMail, setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();
let client: UseSend;
beforeAll(async () => {
  client = new UseSend(team.main.teamKey, team.url);
});

test('the Node client sends an email and returns its id', async () => {
  const { data, error } = await client.emails.send(buildMail());
  expect(error).toBeNull();
  expect(data!.emailId).toMatch(/^[a-z0-9]{20,}$/);
});

test.each(['/', '/api/v1', '/api/v1/'])(
  'the Node client accepts the base URL followed by %s',
  async (end) => {
    const { data, error } = await new UseSend(team.main.teamKey, team.url + end).emails.send(buildMail());
    expect(error).toBeNull();
    expect(data!.emailId).toBeTruthy();
  },
);

test('the Node client sends a batch and returns the ids in order', async () => {
  const { data, error } = await client.emails.batch([
    buildMail({ subject: 'one' }),
    buildMail({ subject: 'two' }),
  ]);
  expect(error).toBeNull();
  expect(data).toHaveLength(2);
  const second = await client.emails.get(data![1]!.emailId);
  expect(second.data).toMatchObject({ id: data![1]!.emailId, subject: 'two', emailEvents: [] });
});

test('the Node client gets the first response for a repeated request with its idempotencyKey', async () => {
  const options = { idempotencyKey: 'sdk-1' };
  const first = await client.emails.send(buildMail(), options);
  const repeatedResponse = await client.emails.send(buildMail(), options);
  expect(repeatedResponse).toEqual(first);
  const other = await client.emails.send(buildMail({ subject: 'another' }), options);
  expect(other.data).toBeNull();
  expect(other.error!.code).toBe('NOT_UNIQUE');
});

test('the Node client lists the domains', async () => {
  const { data, error } = await client.domains.list();
  expect(error).toBeNull();
  expect(data!.map((domain) => domain.name)).toEqual(['main.test']);
});

test('the Node client returns API errors with code and message instead of throwing them', async () => {
  const cases: [UseSend, object, string][] = [
    [client, buildMail({ subject: undefined }), 'BAD_REQUEST'],
    [client, buildMail({ templateId: 'nope' }), 'NOT_FOUND'],
    [new UseSend('us_wrong', team.url), buildMail(), 'UNAUTHORIZED'],
    [new UseSend(team.main.user.key, team.url), buildMail(), 'FORBIDDEN'],
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

test('the Node client returns 404 for an unknown email', async () => {
  const { data, error } = await client.emails.get('nothing');
  expect(data).toBeNull();
  expect(error!.code).toBe('NOT_FOUND');
});

test('the Node client schedules, reschedules, reads and cancels an email', async () => {
  const sentResponse = await client.emails.create({
    ...buildMail(),
    scheduledAt: '2099-01-01T10:00:00+02:00',
  } as never);
  const id = sentResponse.data!.emailId!;
  const movedResponse = await client.emails.update(id, { scheduledAt: '2098-01-01T10:00:00+02:00' });
  expect(movedResponse).toEqual({ data: { emailId: id }, error: null });
  expect((await client.emails.get(id)).data).toMatchObject({ scheduledAt: '2098-01-01T08:00:00.000Z' });
  expect(await client.emails.cancel(id)).toEqual({ data: { emailId: id }, error: null });
  const secondCancel = await client.emails.cancel(id);
  expect([secondCancel.data, secondCancel.error!.code]).toEqual([null, 'BAD_REQUEST']);
});

test('the Node client sends a template with variables and an attachment', async () => {
  const template = await postGraphql(
    team,
    'mutation { templateCreate(template: { name: "t", subject: "Hi {{name}}", html: "<b>{{name}}</b>" }) { id } }',
    { key: team.main.admin.key },
  );
  const { data, error } = await client.emails.send({
    to: 'a@example.net',
    from: 'hello@main.test',
    templateId: template.data.templateCreate.id,
    variables: { name: 'Ann' },
    attachments: [{ filename: 'a.txt', content: 'aGk=' }],
  });
  expect(error).toBeNull();
  expect((await client.emails.get(data!.emailId!)).data).toMatchObject({
    subject: 'Hi Ann',
    html: '<b>Ann</b>',
  });
});

test('the Node client creates, reads, verifies, lists and deletes a domain', async () => {
  const { data, error } = await client.domains.create({ name: 'sdk.example', region: 'eu-west-1' });
  expect(error).toBeNull();
  const id = data!.id;
  expect((await client.domains.get(id)).data).toMatchObject({ id, name: 'sdk.example', dnsRecords: [] });
  expect((await client.domains.verify(id)).data!.message).toEqual(expect.any(String));
  expect((await client.domains.list()).data!.map((domain) => domain.id)).toContain(id);
  expect((await client.domains.create({ name: 'sdk.example', region: 'x' })).error!.code).toBe('NOT_UNIQUE');
  expect((await client.domains.delete(id)).data).toMatchObject({ id, success: true });
  expect((await client.domains.get(id)).error!.code).toBe('NOT_FOUND');
});
