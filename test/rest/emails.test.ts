import { simpleParser } from 'mailparser';
import { beforeAll, expect, test } from 'vitest';
import { createKey } from '../../schema/base/keys/keys.ts';
import { purgeBodies } from '../../schema/email/emails/email-bodies.ts';
import { sql } from '../../src/db/sql.ts';
import { buildExpectedEnvelope, buildMail, setUpTeam } from '../harness/facades/rest.ts';
import type { Tenant } from '../harness/tenant.ts';
import { until } from '../harness/wait.ts';

const team = setUpTeam();
let otherTenant: Tenant;
beforeAll(async () => {
  otherTenant = await team.tenant('other');
});

const FUTURE_TIME = '2099-01-01T10:00:00Z';
const sendEmail = async (change: object = {}): Promise<string> => {
  const { status, json, text } = await team.send(buildMail(change));
  expect(status, text).toBe(200);
  return json.emailId;
};
const change = (id: string, body: unknown, key?: string) =>
  team.ask('PATCH', `/api/v1/emails/${id}`, { body, key });
const cancel = (id: string, key?: string) =>
  team.ask('POST', `/api/v1/emails/${id}/cancel`, { body: {}, key });

async function deliverAndParse(id: string) {
  const delivery = await team.deliver();
  let row: { raw: Buffer } | undefined;
  await until(async () => {
    [row] = await team.runtime.db.rows<{ raw: Buffer }>(
      sql`select o.raw from svc_outbox o join svc_email e on e.workspace_id = o.workspace_id and e.id = o.email_id
       where e.workspace_id > 0 and e.public_id = ${id}`,
    );
    return row;
  }, 'it is kept');
  await delivery.stop();
  return { raw: row!.raw.toString(), parsed: await simpleParser(row!.raw) };
}

test('PATCH reschedules an email, and interprets a time without an offset as UTC', async () => {
  for (const [scheduledAt, instant] of [
    ['2098-05-01T10:00:00Z', '2098-05-01T10:00:00.000Z'],
    ['2098-05-01T10:00:00+05:30', '2098-05-01T04:30:00.000Z'],
    ['2098-05-01T10:00:00-02:00', '2098-05-01T12:00:00.000Z'],
    ['2098-05-01T10:00:00.250', '2098-05-01T10:00:00.250Z'],
  ]) {
    const id = await sendEmail({ scheduledAt: FUTURE_TIME });
    const { status, json } = await change(id, { scheduledAt });
    expect([status, json], scheduledAt).toEqual([200, { emailId: id }]);
    expect(await team.email(id)).toMatchObject({
      scheduledAt: instant,
      latestStatus: 'SCHEDULED',
      state: 'queued',
    });
  }
});

test('sends an email immediately if it is rescheduled to the past', async () => {
  const id = await sendEmail({ scheduledAt: FUTURE_TIME });
  await change(id, { scheduledAt: '2020-01-01T00:00:00Z' });
  expect(await team.email(id)).toMatchObject({ scheduledAt: null, latestStatus: 'QUEUED' });
  expect((await deliverAndParse(id)).raw).toContain('Subject: Hello');
});

test('cancels a scheduled email, records the event, and never sends the email', async () => {
  const id = await sendEmail({ scheduledAt: FUTURE_TIME });
  const { status, json } = await cancel(id);
  expect([status, json]).toEqual([200, { emailId: id }]);
  expect(await team.email(id)).toMatchObject({
    latestStatus: 'CANCELLED',
    state: 'cancelled',
    emailEvents: [{ emailId: id, status: 'CANCELLED', data: null }],
  });
  for (const response of [await cancel(id), await change(id, { scheduledAt: FUTURE_TIME })]) {
    expect([response.status, response.json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
    expect(response.json.message).toContain('has the status CANCELLED');
  }
});

test('rejects rescheduling and canceling an email that is not scheduled with 400, and an unknown one with 404', async () => {
  const queued = await sendEmail();
  expect((await change(queued, { scheduledAt: FUTURE_TIME })).json).toEqual(
    buildExpectedEnvelope('BAD_REQUEST'),
  );
  expect((await cancel(queued)).json).toEqual(buildExpectedEnvelope('BAD_REQUEST'));
  const scheduled = await sendEmail({ scheduledAt: FUTURE_TIME });
  const unknownResponse = await change('nothing', { scheduledAt: FUTURE_TIME });
  expect([unknownResponse.status, unknownResponse.json]).toEqual([404, buildExpectedEnvelope('NOT_FOUND')]);
  expect((await change(scheduled, { scheduledAt: FUTURE_TIME }, otherTenant.teamKey)).text).toBe(
    unknownResponse.text,
  );
  expect((await cancel(scheduled, otherTenant.teamKey)).text).toBe(unknownResponse.text);
  expect((await change(scheduled, {})).status).toBe(400);
  expect((await change(scheduled, { scheduledAt: 'soon' })).status).toBe(400);
});

test('GET returns all fields of an email', async () => {
  const lists = { cc: ['c@example.net'], bcc: ['b@example.net'], replyTo: ['r@example.net'] };
  const id = await sendEmail({ ...lists, scheduledAt: FUTURE_TIME });
  expect(await team.email(id)).toMatchObject({
    ...lists,
    latestStatus: 'SCHEDULED',
    scheduledAt: '2099-01-01T10:00:00.000Z',
    domainId: expect.any(Number),
    templateId: null,
    tags: null,
    metadata: null,
  });
});

test('GET returns the tags and metadata of an email', async () => {
  const metadata = { order: 7, nested: { deep: [1, null] } };
  const id = await sendEmail({ tags: { kind: 'receipt' }, metadata });
  expect(await team.email(id)).toMatchObject({ tags: { kind: 'receipt' }, metadata });
  const list = await sendEmail({ tags: [{ name: 'kind', value: 'list' }] });
  expect((await team.email(list)).tags).toEqual({ kind: 'list' });
});

test.each([
  [{ tags: { a: 1 } }, /tags/],
  [{ tags: { '': 'x' } }, /tags/],
  [{ tags: { a: 'x'.repeat(501) } }, /tags/],
  [{ tags: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`t${i}`, ''])) }, /tags/],
  [{ metadata: [] }, /metadata/],
  [{ metadata: { a: 'x'.repeat(17_000) } }, /metadata/],
])('rejects invalid tags and metadata with BAD_REQUEST: case %#', async (fields, reason) => {
  const { status, json } = await team.send(buildMail(fields));
  expect(status).toBe(400);
  expect(json.message).toMatch(reason);
});

test('does not return a stored response to the key of another domain', async () => {
  const { json } = await team.ask('POST', '/api/v1/domains', {
    body: { name: 'bound.example', region: 'x' },
  });
  const options = { name: 'b', userId: null, scopes: [], days: null };
  const [bound, main] = await Promise.all(
    [json.id, (await team.email(await sendEmail())).domainId].map((domainId) =>
      createKey(team.main.ctx, { ...options, domainId }),
    ),
  );
  const repeat = (key: string, body: object) =>
    team.ask('POST', '/api/v1/emails', { key, body, headers: { 'idempotency-key': 'of the team' } });
  const first = await repeat(team.main.teamKey, buildMail());
  const response = await repeat(bound!.key, buildMail());
  expect([response.status, response.json]).toEqual([403, buildExpectedEnvelope('FORBIDDEN')]);
  expect(response.text).not.toContain(first.json.emailId);
  expect((await repeat(main!.key, buildMail())).json).toEqual(first.json);
  expect((await repeat(bound!.key, buildMail({ from: 'a@bound.example' }))).status).toBe(409);
});

test("sets In-Reply-To and References of a reply to the parent's Message-ID", async () => {
  const first = await sendEmail();
  const response = await deliverAndParse(await sendEmail({ inReplyToId: first }));
  expect(response.raw).toContain(`In-Reply-To: <${first}@main.test>\r\n`);
  expect(response.raw).toContain(`References: <${first}@main.test>\r\n`);
  expect((await deliverAndParse(first)).raw).toContain(`Message-ID: <${first}@main.test>\r\n`);
});

test('generates a missing text part from the HTML', async () => {
  const html = '<h1>Hi &amp; welcome</h1><p>Go <a href="https://example.net/x">there</a></p>';
  const { parsed } = await deliverAndParse(await sendEmail({ html }));
  expect(parsed.html).toContain('<h1>');
  expect(parsed.text).toBe('Hi & welcome\n\nGo there (https://example.net/x)');
  const ownText = await deliverAndParse(await sendEmail({ html, text: 'my own' }));
  expect(ownText.parsed.text).toBe('my own');
});

test('sends attachments with their types, and embeds those with a contentId', async () => {
  const content = Buffer.from([1, 2, 3, 250]).toString('base64');
  const { parsed } = await deliverAndParse(
    await sendEmail({
      html: '<img src="cid:logo@x">',
      attachments: [
        { filename: 'logo.png', content, contentType: 'image/png', contentId: '<logo@x>' },
        { filename: 'two.bin', content, contentType: 'application/x-own' },
        { filename: 'three.pdf', content, cid: 'third' },
      ],
    }),
  );
  const attachments = parsed.attachments.map((file) => [
    file.filename,
    file.contentType,
    file.contentDisposition,
    file.cid,
  ]);
  expect(attachments).toEqual([
    ['logo.png', 'image/png', 'inline', 'logo@x'],
    ['three.pdf', 'application/pdf', 'inline', 'third'],
    ['two.bin', 'application/x-own', 'attachment', undefined],
  ]);
  expect([...parsed.attachments[0]!.content]).toEqual([1, 2, 3, 250]);
});

const buildFile = (fields: object) => ({ attachments: [{ filename: 'a.txt', content: 'aGk=', ...fields }] });
test.each([
  ['that is empty', buildFile({ content: '' })],
  ['that is not base64', buildFile({ content: '%%%%' })],
  ['with truncated base64', buildFile({ content: 'aGVsb' })],
  ['with an invalid media type', buildFile({ contentType: 'text\r\nX: y' })],
  ['with a multipart media type', buildFile({ contentType: 'multipart/mixed' })],
  ['with a content id that could inject a header', buildFile({ contentId: 'a>\r\nX: y' })],
  ['with a line break in its name', buildFile({ filename: 'a\r\nb' })],
])('rejects an attachment %s with BAD_REQUEST', async (_case, fields) => {
  const { status, json } = await team.send(buildMail(fields));
  expect([status, json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
  expect(json.message).toContain('attachments');
});

test('accepts attachments of up to 25 MB in total, and rejects larger ones with BAD_REQUEST', {
  tags: 'slow',
}, async () => {
  const half = Buffer.alloc(12.5 * 1024 * 1024).toString('base64');
  const buildFiles = (...contents: string[]) => ({
    attachments: contents.map((content, index) => ({ filename: `${index}.bin`, content })),
  });
  expect((await team.send(buildMail(buildFiles(half, half)))).status).toBe(200);
  const before = await team.countWritten();
  const { status, json } = await team.send(buildMail(buildFiles(half, half, 'aGVsbG8=')));
  expect(status).toBe(400);
  expect(json.message).toMatch(/25 MB/);
  expect(await team.countWritten()).toBe(before);
});

test.each([
  ['a line break in a value', { 'X-A': 'a\r\nBcc: evil@example.net' }],
  ['a line break in a name', { 'X-A\r\nBcc': 'evil@example.net' }],
  ['a colon in a name', { 'X:A': 'b' }],
  ['a header that has a separate field', { Bcc: 'evil@example.net' }],
])('rejects header injection through %s', async (_case, headers) => {
  const { status, json } = await team.send(buildMail({ headers }));
  expect(status).toBe(400);
  expect(json.message).toContain('header');
});

test('sends custom headers', async () => {
  expect((await deliverAndParse(await sendEmail({ headers: { 'X-Own': 'yes' } }))).raw).toContain(
    'X-Own: yes\r\n',
  );
});

test('purges bodies of old sent mail, but not of waiting or recent mail', async () => {
  const [old, young, waiting] = [
    await sendEmail(),
    await sendEmail(),
    await sendEmail({ scheduledAt: FUTURE_TIME }),
  ];
  await deliverAndParse(old);
  await deliverAndParse(young);
  await team.runtime.db.rows(
    sql`update svc_email set create_date = now() - interval '31 days' where workspace_id > 0 and public_id = any(${[old, waiting]})`,
  );
  expect(await purgeBodies(team.runtime.db, 30)).toBe(1);
  expect(await purgeBodies(team.runtime.db, 30)).toBe(0);
  expect(await team.email(old)).toMatchObject({ html: null, text: null, subject: 'Hello' });
  expect((await team.email(young)).html).toBe('<p>Hi</p>');
  expect((await team.email(waiting)).html).toBe('<p>Hi</p>');
});

test.each([
  ['subject', { subject: ' \n' }, 'subject'],
  ['subject of non-ASCII spaces', { subject: '\u00a0\u2003' }, 'subject'],
  ['HTML', { html: ' \r\n\t' }, 'html'],
])('treats a %s that contains only white space as missing', async (_, fields, text) => {
  const { status, json } = await team.send(buildMail(fields));
  expect([status, json]).toEqual([400, buildExpectedEnvelope('BAD_REQUEST')]);
  expect(json.message).toContain(text);
});

test('omits blank HTML if there is text', async () => {
  const id = await sendEmail({ html: '  ', text: 'Body' });
  expect((await team.ask('GET', `/api/v1/emails/${id}`)).json).toMatchObject({ html: null, text: 'Body' });
});
