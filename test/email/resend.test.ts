import { beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { createSmtpTransport } from '../../src/email/smtp.ts';
import { setUp } from '../harness/set-up.ts';
import { startSmtp } from '../standins/smtp.ts';
import {
  loadEmailRow,
  loadEvents,
  moveThroughStates,
  sendEmails,
  setUpSending,
  untilEmail,
  updateEmail,
} from './sending.ts';

const { app } = setUpSending();
const relay = setUp(startSmtp);

beforeEach(async () => {
  relay.refuse.clear();
  relay.received.length = 0;
  await app.runtime.db.rows(sql`delete from svc_email where workspace_id > 0`);
});

const sendAgain = (id: string) =>
  app.graphql(`mutation { emailSendAgain(id: "${id}") { id state latestStatus } }`);
const sendAllAgain = (args = '') =>
  app.graphql(`mutation { emailsSendAgain(startDate: "2020-01-01T00:00:00Z" ${args}) { queued hasMore } }`);
const deliverViaRelay = () => app.deliver({ transport: createSmtpTransport({ url: relay.url }) });

async function sendFailing(reason = 'because'): Promise<string> {
  const [id] = await sendEmails(app, app.main);
  await moveThroughStates(app, id!, 'sending', 'failed');
  await updateEmail(app, id!, `latest_status = 'FAILED', reason = '${reason}'`);
  return id!;
}

test('resends a failed email once on request', async () => {
  const id = await sendFailing();
  const { data } = await sendAgain(id);
  expect(data.emailSendAgain).toEqual({ id, state: 'QUEUED', latestStatus: 'QUEUED' });
  expect((await sendAgain(id)).errors[0]!.message).toContain('Its state is queued');
  const worker = await deliverViaRelay();
  expect(await untilEmail(app, id, ({ state }) => state === 'sent')).toMatchObject({ latest_status: 'SENT' });
  await worker.stop();
  expect(relay.received).toHaveLength(1);
  expect((await loadEvents(app, id)).map(({ status }) => status)).toEqual(['QUEUED', 'SENT']);
});

test('resends a partially delivered email only to the remaining recipients', async () => {
  relay.refuse.set('no@example.net', { code: 550, text: '5.7.1 blocked' });
  const worker = await deliverViaRelay();
  const [id] = await sendEmails(app, app.main, { to: ['ann@example.net', 'no@example.net'] });
  await untilEmail(app, id!, ({ state }) => state === 'sent');
  relay.refuse.clear();
  // The worker may finish before the response arrives.
  expect(['QUEUED', 'SENDING', 'SENT']).toContain((await sendAgain(id!)).data.emailSendAgain.state);
  await untilEmail(app, id!, ({ state }) => state === 'sent');
  expect((await sendAgain(id!)).errors[0]!.message).toContain('Its state is sent');
  await worker.stop();
  expect(relay.received.map(({ recipients }) => recipients)).toEqual([
    ['ann@example.net'],
    ['no@example.net'],
  ]);
});

test('rejects resending an email whose content was purged', async () => {
  const id = await sendFailing();
  await updateEmail(app, id, 'html = null, text = null');
  expect((await sendAgain(id)).errors[0]!.message).toContain('purged');
  expect((await sendAllAgain()).data.emailsSendAgain).toEqual({ queued: 0, hasMore: false });
});

test('resends failed emails by time, reason and domain with an audit entry', async () => {
  const paused = await sendFailing('SendingPausedException: paused');
  const other = await sendFailing('other');
  expect((await sendAllAgain('endDate: "2020-01-02T00:00:00Z"')).data.emailsSendAgain.queued).toBe(0);
  expect((await sendAllAgain('domainIds: ["999999"]')).data.emailsSendAgain.queued).toBe(0);
  expect((await sendAllAgain('reasonContains: "sendingpaused"')).data.emailsSendAgain).toEqual({
    queued: 1,
    hasMore: false,
  });
  expect([(await loadEmailRow(app, paused)).state, (await loadEmailRow(app, other)).state]).toEqual([
    'queued',
    'failed',
  ]);
  expect((await sendAllAgain()).data.emailsSendAgain.queued).toBe(1);
  expect((await sendAllAgain(`reasonContains: "${'x'.repeat(201)}"`)).errors[0]!.message).toContain('200');
  const trail = await app.runtime.db.rows(
    sql`select 1 from svc_audit_event where workspace_id = ${app.main.ctx.workspace.id} and event = 'email.send_again'`,
  );
  expect(trail.length).toBeGreaterThan(0);
});

test('skips an email in a bulk resend if it may already have been sent', async () => {
  const id = await sendFailing();
  await app.runtime.db.rows(
    sql`insert into svc_email_event (workspace_id, id, email_id, status, data)
     select workspace_id, id, id, 'DELIVERY_DELAYED', '{"reason":"reset"}' from svc_email
     where workspace_id > 0 and public_id = ${id}`,
  );
  expect((await sendAllAgain()).data.emailsSendAgain.queued).toBe(0);
  expect((await sendAgain(id)).data.emailSendAgain).toMatchObject({ state: 'QUEUED' });
});

const unsuppress = (email: string) =>
  app.runtime.db.rows(
    sql`delete from svc_suppression where workspace_id = ${app.main.ctx.workspace.id} and email = ${email}`,
  );

test('resends suppressed emails individually or in bulk once the recipient is no longer suppressed', async () => {
  await app.runtime.db.rows(
    sql`insert into svc_suppression (workspace_id, id, email, reason)
     select ${app.main.ctx.workspace.id}, 800 + row_number() over (), email, 'MANUAL' from unnest(${['ann@example.net', 'bob@example.net']}::text[]) email`,
  );
  const [ann] = await sendEmails(app, app.main, { to: ['Ann <Ann@example.net>'], cc: ['bob@example.net'] });
  const [bob] = await sendEmails(app, app.main, { to: ['bob@example.net'] });
  expect((await sendAgain(ann!)).errors[0]!.message).toContain('still on the suppression list');
  expect((await sendAllAgain('suppressed: true')).data.emailsSendAgain).toEqual({
    queued: 0,
    hasMore: false,
  });
  await unsuppress('ann@example.net');
  expect((await sendAgain(ann!)).data.emailSendAgain).toMatchObject({
    state: 'QUEUED',
    latestStatus: 'QUEUED',
  });
  await app.runtime.db.rows(
    sql`update svc_suppression set expires_at = now() - interval '1 second'
     where workspace_id = ${app.main.ctx.workspace.id} and email = 'bob@example.net'`,
  );
  expect((await sendAllAgain()).data.emailsSendAgain.queued).toBe(0);
  expect((await sendAllAgain('suppressed: true')).data.emailsSendAgain.queued).toBe(1);
  const worker = await deliverViaRelay();
  for (const id of [ann!, bob!])
    expect(await untilEmail(app, id, ({ state }) => state === 'sent')).toMatchObject({
      latest_status: 'SENT',
    });
  await worker.stop();
  expect(relay.received.map(({ recipients }) => recipients).sort()).toEqual([
    ['Ann@example.net', 'bob@example.net'],
    ['bob@example.net'],
  ]);
});

test.each([
  ['failed', ['sending', 'failed'], true, 1],
  ['unknown', ['sending', 'unknown'], true, 0],
  ['sent', ['sending', 'sent'], false, 0],
  ['cancelled', ['cancelled'], false, 0],
  ['suppressed', ['sending', 'suppressed'], true, 1],
] as const)('decides whether an email in state %s can be resent', async (state, mutation, isSent, queued) => {
  const ids = await sendEmails(app, app.main, {}, 2);
  for (const id of ids) await moveThroughStates(app, id, ...mutation);
  const { data, errors } = await sendAgain(ids[0]!);
  if (isSent) expect(data.emailSendAgain.state).toBe('QUEUED');
  else expect(errors[0]!.message).toContain(`Its state is ${state}`);
  expect((await sendAllAgain('suppressed: true')).data.emailsSendAgain.queued).toBe(queued);
});
