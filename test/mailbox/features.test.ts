import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import type { SendOutcome } from '../../src/email/transport.ts';
import { setUpApp } from '../harness/app.ts';
import { callMailOk, queryGraphql, runWithoutFeature, setUpMailbox } from './mailboxes.ts';
import { fileRaw } from './raw-mail.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);
let outcome: SendOutcome;

beforeAll(async () => {
  await app.deliver({
    transport: {
      name: 'ses',
      send: async () => outcome,
      limits: async () => null,
      close: async () => undefined,
    },
  });
});

const send = async (overrides: object = {}) =>
  callMailOk(app, 'compose_send', {
    account_id: mailbox.id,
    to: 'ann@example.org',
    subject: 's',
    body: 'b',
    ...overrides,
  });

test('without mail.composer2, a message has no Cc, Bcc, HTML or files', async () => {
  outcome = { kind: 'sent', providerId: 'p1' };
  await runWithoutFeature(app, 'mail.composer2', async () => {
    for (const extra of [{ cc: 'b@example.org' }, { bcc: 'b@example.org' }, { body_html: '<p>b</p>' }])
      expect(await send(extra)).toEqual({ ok: false, error: expect.stringContaining('mail.composer2') });
    expect(await send()).toMatchObject({ ok: true });
  });
  expect(await send({ cc: 'b@example.org' })).toMatchObject({ ok: true });
});

test('a send that the provider rejects returns ok: false, unless mail.honest_send is off', async () => {
  outcome = { kind: 'refused', code: 'MessageRejected', reason: 'Email address is not verified.' };
  expect(await send()).toMatchObject({
    ok: false,
    error: expect.stringContaining('not verified'),
    transport: { state: 'failed' },
  });
  await runWithoutFeature(app, 'mail.honest_send', async () => {
    expect(await send()).toMatchObject({ ok: true, transport: { state: 'failed' } });
  });
});

test('omits and reports suppressed recipients, and rejects a send if all are suppressed', async () => {
  outcome = { kind: 'sent', providerId: 'p2' };
  const { id } = app.main.ctx.workspace;
  await app.runtime.db.rows(
    sql`insert into svc_suppression (workspace_id, id, email, reason) values (${id}, 900, 'gone@example.org', 'MANUAL')`,
  );
  expect(await send({ to: 'gone@example.org' })).toEqual({
    ok: false,
    error: 'Every recipient is on the suppression list.',
  });
  expect(await send({ to: 'gone@example.org, ann@example.org' })).toMatchObject({
    ok: true,
    suppressed: ['gone@example.org'],
  });
});

test('a Sent message shows its delivery status, unless mail.delivery_meta is off', async () => {
  outcome = { kind: 'sent', providerId: 'p3' };
  const { entry_id: id } = await send({ bcc: 'secret@example.org' });
  const readDelivery = async () => {
    const detail = await callMailOk(app, 'get_entry_detail', { entry_id: id });
    const query = `{ mailMessage(id: ${id}) { deliveryStatus bcc { email } } }`;
    const { mailMessage } = (await queryGraphql(app, query)).data;
    expect(mailMessage.bcc).toEqual([{ email: 'secret@example.org' }]);
    return [detail.delivery_status, mailMessage.deliveryStatus];
  };
  expect(await readDelivery()).toEqual(['SENT', 'SENT']);
  await runWithoutFeature(app, 'mail.delivery_meta', async () => {
    expect(await readDelivery()).toEqual([null, null]);
  });
});

test('treats every message as a separate conversation if mail.threading is off', async () => {
  const buildMail = (name: string, refs: string) =>
    `From: a@example.org\nMessage-ID: <${name}@x>\nReferences: ${refs}\nSubject: Talk\n\nx\n`;
  await fileRaw(app.main, mailbox, buildMail('t1', ''));
  const second = await fileRaw(app.main, mailbox, buildMail('t2', '<t1@x>'));
  const readCount = async () => (await callMailOk(app, 'get_thread', { entry_id: second })).count;
  expect(await readCount()).toBe(2);
  await runWithoutFeature(app, 'mail.threading', async () => {
    expect(await readCount()).toBe(1);
  });
});
