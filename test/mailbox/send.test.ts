import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { callMail, callMailOk, loadMailbox } from './mailboxes.ts';

const app = setUpApp();
let account: number;

beforeAll(async () => {
  const { id } = app.main.ctx.workspace;
  // The mailboxes were created before the sending domain.
  await app.runtime.db.rows(
    sql`update svc_mail_account set address = replace(address, 'main.localhost', 'main.test') where workspace_id = ${id}`,
  );
  account = (await loadMailbox(app.main.ctx, app.main.user.id)).id;
  await app.deliver();
});

const loadSent = async () =>
  (
    await app.runtime.db.rows<{ raw: string; recipients: string[] }>(
      sql`select convert_from(raw, 'LATIN1') as raw, recipients from svc_outbox
       where workspace_id = ${app.main.ctx.workspace.id} order by id desc limit 1`,
    )
  )[0]!;

test('files a copy in Sent, and shows the Bcc recipients only there', async () => {
  const result = await callMailOk(app, 'compose_send', {
    account_id: account,
    to: 'Ann <ann@example.org>; "B, C" <bc@example.org>',
    bcc: 'secret@example.org',
    subject: 'Grüße',
    body: 'Hello',
  });
  expect(result).toMatchObject({ ok: true, suppressed: [], transport: { state: 'sent', reason: null } });
  expect(result.message_id).toMatch(/^<.+@main\.test>$/);
  const { raw, recipients } = await loadSent();
  expect(recipients).toEqual(['ann@example.org', 'bc@example.org', 'secret@example.org']);
  expect(raw).toContain(`Message-ID: ${result.message_id}`);
  expect(raw).not.toContain('secret@example.org');
  const [copy] = await app.runtime.db.rows(
    sql`select e.is_read, e.source, e.envelope, c.subject, c.text, f.role from svc_mail_entry e
     join svc_mail_message c on c.workspace_id = ${app.main.ctx.workspace.id} and c.id = e.content_id
     join svc_mail_folder f on f.workspace_id = ${app.main.ctx.workspace.id} and f.id = e.folder_id
     where e.workspace_id = ${app.main.ctx.workspace.id} and e.id = ${result.entry_id}`,
  );
  expect(copy).toEqual({
    is_read: true,
    source: 'sent',
    envelope: { bcc: [{ name: '', email: 'secret@example.org' }] },
    subject: 'Grüße',
    text: 'Hello\n',
    role: 'sent',
  });
});

test('sends an image that the HTML refers to as an inline attachment', async () => {
  const png = Buffer.from('89504e470d0a1a0a0000', 'hex').toString('base64');
  const stage = async (filename: string) =>
    (await callMailOk(app, 'compose_attach', { account_id: account, filename, data_b64: png })).attachment_id;
  const [inlineFile, beside] = [await stage('shown.png'), await stage('beside.png')];
  const answer = await callMail(app, 'compose_send', {
    account_id: account,
    to: 'ann@example.org',
    subject: 'Picture',
    body_html: `<p>See</p><img src="cid:${inlineFile}" alt="s"><img src="cid:999999" alt="none">`,
    attachment_ids: [inlineFile, beside],
  });
  expect(answer.body).toMatchObject({ ok: true });
  const { raw } = await loadSent();
  const contentId = `staged-${inlineFile}@main.test`;
  expect(raw).toContain(`Content-ID: <${contentId}>`);
  expect(raw).toContain('multipart/related');
  expect(raw.match(/Content-ID:/g)).toHaveLength(1);
  const detail = await callMailOk(app, 'get_entry_detail', { entry_id: answer.body.entry_id });
  expect(detail.body_html).toMatch(/<img alt="s" src="[^"]+\/mail\/file\?[^"]+" \/><img alt="none" \/>/);
  expect(detail.attachments.map((file: Record<string, unknown>) => [file.name, file.inline])).toEqual([
    ['shown.png', true],
    ['beside.png', false],
  ]);
});

test('adds a reply to the conversation, with References to the original', async () => {
  const first = await callMailOk(app, 'compose_send', {
    account_id: account,
    to: 'ann@example.org',
    subject: 'Plan',
    body: 'a',
  });
  const second = await callMailOk(app, 'compose_send', {
    account_id: account,
    to: 'ann@example.org',
    subject: 'Re: Plan',
    body_html: '<p>b</p><script>alert(1)</script>',
    in_reply_to: first.entry_id,
  });
  expect(second).toMatchObject({ ok: true });
  const { raw } = await loadSent();
  expect(raw).toContain(`In-Reply-To: ${first.message_id}`);
  expect(raw).toContain(`References: ${first.message_id}`);
  expect(raw).not.toContain('script');
  const rows = await app.runtime.db.rows<{ thread_id: number; is_answered: boolean }>(
    sql`select thread_id, is_answered from svc_mail_entry
     where workspace_id = ${app.main.ctx.workspace.id} and id = any(${[first.entry_id, second.entry_id]}) order by id`,
  );
  expect(rows).toEqual([
    { thread_id: first.entry_id, is_answered: true },
    { thread_id: first.entry_id, is_answered: false },
  ]);
});

test.each([
  ['no recipient', { to: '' }, /^to: at least one/],
  ['an invalid address', { to: 'ann' }, /^to: "ann" is not a valid address/],
  [
    '101 recipients',
    { to: Array.from({ length: 101 }, (_, i) => `a${i}@example.org`).join() },
    /may have at most 100 recipients/,
  ],
  ['a subject of 999 characters', { subject: 'x'.repeat(999) }, /^subject: must have at most 998/],
  ['a body that is too long', { body: 'x'.repeat(524_289) }, /^body: must have at most 524,288/],
])('rejects %s and files nothing', async (_name, values, error) => {
  const answer = await callMail(app, 'compose_send', {
    account_id: account,
    to: 'ann@example.org',
    subject: 's',
    body: 'b',
    ...values,
  });
  expect(answer.status).toBe(200);
  expect(answer.body).toEqual({ ok: false, error: expect.stringMatching(error) });
});

test('sends an empty subject unchanged', async () => {
  const values = { account_id: account, to: 'ann@example.org', subject: ' ', body: 'b' };
  expect(await callMailOk(app, 'compose_send', values)).toMatchObject({ ok: true });
  expect((await loadSent()).raw).toMatch(/^Subject: ?\r?$/m);
});

test("returns the same access error for another user's mailbox and an unknown one", async () => {
  const values = { to: 'ann@example.org', subject: 's', body: 'b' };
  const others = await callMail(app, 'compose_send', { account_id: account, ...values }, app.main.admin.key);
  const absent = await callMail(app, 'compose_send', { account_id: 999_999, ...values }, app.main.admin.key);
  expect(others.status).toBe(403);
  expect(others.body.message).toBe(absent.body.message);
});

test('sends one message to 100 recipients', async () => {
  const to = Array.from({ length: 100 }, (_, i) => `a${i}@example.org`).join(', ');
  const answer = await callMail(app, 'compose_send', { account_id: account, to, subject: 's', body: 'b' });
  expect(answer.body).toMatchObject({ ok: true, transport: { state: 'sent' } });
  expect((await loadSent()).recipients).toHaveLength(100);
});

test('rejects the 301st message within an hour, even under concurrent requests', async () => {
  const { id } = app.main.ctx.workspace;
  await app.runtime.db.rows(
    sql`insert into svc_mail_send_log (workspace_id, account_id, email_id, recipients)
     select ${id}, ${account}, -g, 1 from generate_series(1, 295 - (select count(*)::int from svc_mail_send_log
       where workspace_id = ${id} and account_id = ${account})) g`,
  );
  const answers = await Promise.all(
    Array.from({ length: 12 }, () =>
      callMail(app, 'compose_send', { account_id: account, to: 'ann@example.org', subject: 's', body: 'b' }),
    ),
  );
  const outcomes = answers.map((answer) => answer.body);
  expect(outcomes.filter(({ ok }) => ok)).toHaveLength(5);
  expect(outcomes.filter(({ ok }) => !ok)[0].error).toMatch(/has sent 300 messages in the last hour/);
});
