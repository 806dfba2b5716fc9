import { expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { buildExpectedEnvelope, buildMail, setUpTeam } from '../harness/facades/rest.ts';
import { until } from '../harness/wait.ts';

const team = setUpTeam();

test('returns 200 with the id as data.emailId and as emailId', async () => {
  const { status, json } = await team.send(buildMail());
  expect(status).toBe(200);
  expect(json.emailId).toMatch(/^[a-z0-9]{20,}$/);
  expect(json).toEqual({ emailId: json.emailId, data: { emailId: json.emailId } });
});

test('stores the recipient, sender, subject and HTML', async () => {
  const { json } = await team.send(
    buildMail({ to: 'Bob <bob@example.net>', subject: 'Grüße', html: '<b>né</b>' }),
  );
  expect(await team.email(json.emailId)).toMatchObject({
    id: json.emailId,
    to: ['Bob <bob@example.net>'],
    from: 'Main Team <hello@main.test>',
    subject: 'Grüße',
    html: '<b>né</b>',
    text: null,
  });
});

test('delivers a message with the given sender, recipient, subject and HTML', async () => {
  const { json } = await team.send(
    buildMail({ to: 'carol@example.net', subject: 'Reaches the message', html: '<p>body of it</p>' }),
  );
  await team.deliver();
  let row: { raw: Buffer; recipients: string[] } | undefined;
  await until(async () => {
    [row] = await team.runtime.db.rows<{ raw: Buffer; recipients: string[] }>(
      sql`select o.raw, o.recipients from svc_outbox o join svc_email e on e.workspace_id = o.workspace_id and e.id = o.email_id
       where o.workspace_id > 0 and e.public_id = ${json.emailId}`,
    );
    return row;
  }, 'it is kept');
  expect(row!.recipients).toEqual(['carol@example.net']);
  const raw = row!.raw.toString();
  expect(raw).toMatch(/^From: Main Team <hello@main\.test>\r$/m);
  expect(raw).toMatch(/^To: carol@example\.net\r$/m);
  expect(raw).toMatch(/^Subject: Reaches the message\r$/m);
  expect(raw).toContain('<p>body of it</p>');
  expect((await team.email(json.emailId)).emailEvents.length).toBeGreaterThan(0);
});

test('accepts a string or a list for to, cc, bcc and replyTo', async () => {
  const one = { to: 'a@example.net', cc: 'b@example.net', bcc: 'c@example.net', replyTo: 'd@example.net' };
  const lists = Object.fromEntries(Object.entries(one).map(([name, value]) => [name, [value]]));
  for (const fields of [one, lists]) {
    const { json } = await team.send(buildMail(fields));
    expect(await team.email(json.emailId)).toMatchObject(lists);
  }
});

test('ignores unknown fields', async () => {
  const { status, json } = await team.send(buildMail({ unknownField: 1, track: { opens: true } }));
  expect(status).toBe(200);
  expect(await team.email(json.emailId)).not.toHaveProperty('unknownField');
});

test('accepts text without HTML, and treats html: false as missing', async () => {
  const { json } = await team.send(buildMail({ html: false, text: 'plain' }));
  expect(await team.email(json.emailId)).toMatchObject({ text: 'plain', html: null });
  expect((await team.send(buildMail({ html: 'false' }))).json).toEqual(buildExpectedEnvelope('BAD_REQUEST'));
});

test('accepts custom headers and attachments', async () => {
  const attachments = [{ filename: 'a.txt', content: Buffer.from('hello').toString('base64') }];
  expect((await team.send(buildMail({ headers: { 'X-Own': 'yes' }, attachments }))).status).toBe(200);
});

test('returns a BAD_REQUEST error that names subject and templateId if a send has neither', async () => {
  const { status, json } = await team.send(buildMail({ subject: undefined }));
  expect(status).toBe(400);
  expect(json).toEqual(buildExpectedEnvelope('BAD_REQUEST'));
  expect(json.error.message).toMatch(/subject or templateId .*required/i);
});

test('requires no subject or body with a templateId, and returns 404 for an unknown template', async () => {
  const before = await team.countWritten();
  const { status, json } = await team.send({
    to: 'a@example.net',
    from: 'hello@main.test',
    templateId: 'nope',
    variables: { name: 'Ann' },
  });
  expect(status).toBe(404);
  expect(json).toEqual(buildExpectedEnvelope('NOT_FOUND'));
  expect(json.error.message).toContain('Template');
  expect(await team.countWritten()).toBe(before);
});

test('interprets scheduledAt without an offset as UTC', async () => {
  for (const [scheduledAt, instant] of [
    ['2099-01-01T10:00:00+0100', '2099-01-01T09:00:00.000Z'],
    ['2099-01-01T08:30:08.410274', '2099-01-01T08:30:08.410Z'],
    ['2099-01-01T10:00:00Z', '2099-01-01T10:00:00.000Z'],
    ['2099-01-01T10:00:00+02:00', '2099-01-01T08:00:00.000Z'],
  ]) {
    const { json } = await team.send(buildMail({ scheduledAt }));
    expect(await team.email(json.emailId), scheduledAt).toMatchObject({
      scheduledAt: instant,
      latestStatus: 'SCHEDULED',
    });
  }
});

test('sends immediately if scheduledAt is in the past', async () => {
  const { json } = await team.send(buildMail({ scheduledAt: '2020-01-01T00:00:00Z' }));
  expect(await team.email(json.emailId)).toMatchObject({ scheduledAt: null });
});

test('omits suppressed recipients, and stores an email as SUPPRESSED if no other recipients remain', async () => {
  await team.main.ctx.db.rows(
    sql`insert into svc_suppression (workspace_id, id, email) values (${team.main.ctx.workspace.id}, 800, 'blocked@example.net')`,
  );
  const all = await team.send(buildMail({ to: 'Blocked@example.net' }));
  expect(await team.email(all.json.emailId)).toMatchObject({
    latestStatus: 'SUPPRESSED',
    emailEvents: [{ status: 'SUPPRESSED' }],
  });
  const selectedResponse = await team.send(buildMail({ to: ['blocked@example.net', 'ok@example.net'] }));
  expect(await team.email(selectedResponse.json.emailId)).toMatchObject({ to: ['ok@example.net'] });
});

test("returns 400 if inReplyToId does not refer to one of the team's emails", async () => {
  const first = (await team.send(buildMail())).json.emailId;
  expect((await team.send(buildMail({ inReplyToId: first }))).status).toBe(200);
  const otherTenant = await team.tenant('elsewhere');
  const otherResponse = await team.ask('POST', '/api/v1/emails', {
    key: otherTenant.teamKey,
    body: buildMail({ from: 'x@elsewhere.test' }),
  });
  expect((await team.send(buildMail({ inReplyToId: otherResponse.json.emailId }))).json).toEqual(
    buildExpectedEnvelope('BAD_REQUEST'),
  );
});

test.each([
  '/api/v1/emails',
  '/api/v1/v1/emails',
  '/api/v1/api/v1/emails',
  '//api/v1/emails',
  '/api//v1///emails',
  '/api/v1/emails/',
])('accepts each form of the base URL: POST %s', async (path) => {
  const { status, json } = await team.ask('POST', path, { body: buildMail() });
  expect(status).toBe(200);
  expect(json.data.emailId).toBeTruthy();
});

test('accepts a burst of 300 sends without rate limiting', {
  tags: 'slow',
}, async () => {
  const responses = await Promise.all(
    Array.from({ length: 300 }, (_, i) => team.send(buildMail({ to: `burst${i}@example.net` }))),
  );
  expect(responses.every((response) => response.status === 200)).toBe(true);
  expect(new Set(responses.map((response) => response.json.emailId)).size).toBe(300);
  for (const name of responses.flatMap((response) => [...response.headers.keys()]))
    expect(name).not.toMatch(/ratelimit/i);
});

test('names the invalid header in the error, and accepts a header with a list of addresses', async () => {
  for (const [headers, words] of [
    [{ 'Reply-To': 'nonsense' }, 'Reply-To is not a list of addresses'],
    [{ 'X-A': '1', 'x-a': '2' }, 'x-a appears twice'],
    [{ 'List-Unsubscribe': '<https://x.example/grüße>' }, 'List-Unsubscribe can only be ASCII'],
  ] as const) {
    const { status, json } = await team.send(buildMail({ headers }));
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(words)]);
  }
  expect(
    (await team.send(buildMail({ headers: { 'Reply-To': 'a@x.example, "B, c" <b@x.example>' } }))).status,
  ).toBe(200);
});

test('calls a webhook that is created during sends for every later email', async () => {
  const workspace = team.main.ctx.workspace.id;
  const sendMany = async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => team.send(buildMail())));
    return responses.map(({ json }) => json.emailId as string);
  };
  await sendMany();
  await team.runtime.db.rows(
    sql`insert into svc_webhook (id, workspace_id, url, secret)
     values (nextval('svc_webhook_id_seq'), ${workspace}, 'https://example.net', 's')`,
  );
  const ids = [...(await sendMany()), ...(await sendMany())];
  const calls = await team.runtime.db.rows<{ id: string }>(
    sql`select distinct e.public_id as id from svc_webhook_call c
     join svc_email e on e.workspace_id = c.workspace_id and e.id = c.email_id where c.workspace_id = ${workspace}`,
  );
  const calledIds = new Set(calls.map(({ id }) => id));
  expect(ids.filter((id) => !calledIds.has(id))).toEqual([]);
  await team.runtime.db.rows(sql`delete from svc_webhook where workspace_id = ${workspace}`);
});
