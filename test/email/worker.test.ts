import { expect, test } from 'vitest';
import { releaseExpiredLeases } from '../../schema/email/queue/expired-leases.ts';
import { expire } from '../../schema/email/state/expire.ts';
import { sql } from '../../src/db/sql.ts';
import { getSesAccount } from '../../src/email/create-transport.ts';
import { createSesTransport } from '../../src/email/ses.ts';
import { setUpApp } from '../harness/app.ts';
import { createManualClock } from '../harness/clock.ts';
import { until as eventually } from '../harness/wait.ts';
import { loadEmailRow, loadEvents, sendEmails, setUpSending, untilEmail, updateEmail } from './sending.ts';

const { ses, app } = setUpSending();
const local = setUpApp();

test('delivers an accepted email with its envelope and MIME through the provider', async () => {
  ses.reset();
  const worker = await app.deliver();
  const [id] = await sendEmails(app, app.main, {
    cc: ['cc@example.org'],
    bcc: ['hidden@example.org'],
    html: '<b>Hi</b>',
    headers: { 'X-Mine': 'yes' },
  });
  const sentRow = await untilEmail(app, id!, (r) => r.state === 'sent');
  await worker.stop();
  expect(sentRow).toMatchObject({ latest_status: 'SENT', reason: null, attempts: 1 });
  const [message] = ses.accepted;
  expect(message!.messageId).toBe(sentRow.provider_id);
  expect([...message!.recipients].sort()).toEqual([
    'cc@example.org',
    'hidden@example.org',
    'someone@example.org',
  ]);
  const raw = message!.raw!.toString();
  expect(raw).toContain(`X-Atrium-Email-ID: ${id}`);
  expect(raw).toContain('X-Mine: yes');
  expect(raw).not.toContain('hidden@example.org');
  expect((await loadEvents(app, id!)).map((e) => e.status)).toEqual(['SENT']);
});

test('fails an email without retry when the provider permanently rejects it', async () => {
  ses.reset();
  const worker = await app.deliver();
  ses.set({ failures: { 'refused@example.org': { name: 'MessageRejected', message: 'not wanted' } } });
  const [id] = await sendEmails(app, app.main, { to: ['refused@example.org'] });
  const failedRow = await untilEmail(app, id!, (r) => r.state === 'failed');
  await worker.stop();
  expect(failedRow.latest_status).toBe('FAILED');
  expect(failedRow.reason).toContain('not wanted');
  expect(ses.posts()).toBe(1);
  expect((await loadEvents(app, id!))[0]).toMatchObject({ status: 'FAILED' });
});

test("stays below the provider's rate in a burst without losing mail", async () => {
  ses.reset();
  ses.set({ enforcePerSecond: 20 }, { MaxSendRate: 20 });
  const worker = await app.deliver();
  const startTime = performance.now();
  const ids = await sendEmails(app, app.main, {}, 50);
  for (const id of ids) await untilEmail(app, id, (r) => r.state === 'sent');
  const seconds = (performance.now() - startTime) / 1000;
  await worker.stop();
  expect(ses.accepted).toHaveLength(50);
  expect(ses.duplicates()).toEqual({});
  expect(seconds).toBeGreaterThan(1.5);
});

test.each(['hang-after', 'reset-after', 'error-500-after'] as const)(
  'marks an email as unknown with the reason after a lost response (%s), without an immediate resend',
  async (behavior) => {
    ses.reset();
    const clock = createManualClock();
    const transport = createSesTransport({ ...getSesAccount(app.runtime.config), requestTimeoutMs: 1_000 });
    const worker = await app.deliver({ clock, transport });
    ses.set({ behavior, times: 1 });
    const [id] = await sendEmails(app, app.main, { to: [`${behavior}@example.org`] });
    const unknownRow = await untilEmail(app, id!, (r) => r.state === 'unknown');
    // Lets the queue and the reaper run.
    await clock.pass(12_000);
    await worker.stop();
    expect(unknownRow.reason).toBeTruthy();
    expect(unknownRow.latest_status).toBe('DELIVERY_DELAYED');
    expect(await loadEvents(app, id!)).toEqual([
      { status: 'DELIVERY_DELAYED', data: { reason: unknownRow.reason } },
    ]);
    expect(await loadEmailRow(app, id!)).toMatchObject({ state: 'unknown', attempts: 1 });
    expect(ses.posts()).toBe(1);
  },
);

test('delays mail over the daily quota with a visible reason', async () => {
  ses.reset();
  ses.set({ enforceDaily: true }, { Max24HourSend: 2, SentLast24Hours: 2 });
  const ids = await sendEmails(app, app.main, {}, 2);
  const worker = await app.deliver();
  for (const id of ids) {
    const heldEmail = await untilEmail(app, id, (r) => r.reason !== null);
    expect(heldEmail).toMatchObject({ state: 'queued', attempts: 0 });
    expect(heldEmail.reason).toContain('daily quota');
  }
  await worker.stop();
  expect(ses.posts()).toBe(0);
  ses.set({ enforceDaily: true }, { Max24HourSend: 4, SentLast24Hours: 2 });
  const next = await app.deliver();
  for (const id of ids) expect((await untilEmail(app, id, (r) => r.state === 'sent')).reason).toBeNull();
  await next.stop();
});

test('keeps mail over the daily quota in the queue without an attempt', async () => {
  ses.reset();
  ses.set({ enforceDaily: true }, { Max24HourSend: 2, SentLast24Hours: 0 });
  const clock = createManualClock();
  const worker = await app.deliver({ clock });
  const ids = await sendEmails(app, app.main, {}, 6);
  const readStates = async () =>
    (await Promise.all(ids.map((id) => loadEmailRow(app, id)))).map((r) => r.state);
  await clock.until(
    async () => (await readStates()).filter((state) => state === 'sent').length === 2,
    'two are sent',
  );
  await clock.pass(5_000);
  const rows = await Promise.all(ids.map((id) => loadEmailRow(app, id)));
  await worker.stop();
  expect(rows.filter((r) => r.state === 'sent')).toHaveLength(2);
  const queuedRows = rows.filter((r) => r.state === 'queued');
  expect(queuedRows.map((r) => r.attempts)).toEqual([0, 0, 0, 0]);
  expect([ses.posts(), ses.accepted.length]).toEqual([2, 2]);
  await app.runtime.db.rows(sql`delete from svc_email where workspace_id > 0 and state = 'queued'`);
});

test('stops claiming once a provider response reveals the daily quota', {
  tags: 'slow',
}, async () => {
  ses.reset();
  ses.set({ enforceDaily: true }, { Max24HourSend: 100, SentLast24Hours: 0 });
  const clock = createManualClock();
  const worker = await app.deliver({ clock });
  const [first] = await sendEmails(app, app.main);
  await untilEmail(app, first!, (r) => r.state === 'sent');
  ses.set({ enforceDaily: true }, { SentLast24Hours: 100 });
  const ids = await sendEmails(app, app.main, {}, 60);
  await clock.until(() => ses.posts() > 1, 'the provider has said no');
  const sending = sql`select 1 from svc_email where workspace_id > 0 and state = 'sending'`;
  await clock.until(async () => (await app.runtime.db.rows(sending)).length === 0, 'nothing is in flight');
  await clock.pass(5_000);
  const attempts = (await Promise.all(ids.map((id) => loadEmailRow(app, id)))).map((r) => r.attempts);
  await worker.stop();
  // These emails were in flight when the provider rejected one. No email is claimed after that.
  expect(Math.max(...attempts)).toBe(1);
  expect(attempts.filter((n) => n > 0).length).toBeLessThanOrEqual(32);
  await app.runtime.db.rows(sql`delete from svc_email where workspace_id > 0 and state = 'queued'`);
});

test('sends to twelve recipients at a provider rate of one per second', async () => {
  ses.reset();
  ses.set({}, { MaxSendRate: 1 });
  const to = Array.from({ length: 12 }, (_, i) => `r${i}@example.org`);
  const clock = createManualClock();
  const worker = await app.deliver({ clock });
  const [id] = await sendEmails(app, app.main, { to });
  const sentRow = await untilEmail(app, id!, (r) => r.state === 'sent', clock);
  await worker.stop();
  expect(sentRow.attempts).toBe(1);
});

test('marks mail as unknown when its lease expires, but resends it with the local transport', async () => {
  const [id] = await sendEmails(app, app.main);
  const [delayedEmail] = await sendEmails(local, local.main);
  for (const [targetApp, email] of [
    [app, id],
    [local, delayedEmail],
  ] as const) {
    await targetApp.runtime.db.rows(
      sql`update svc_email set state = 'sending', attempts = 1, lease_by = 'dead', lease_until = now() - interval '1 second' where workspace_id > 0 and public_id = ${email}`,
    );
  }
  expect(await releaseExpiredLeases(app.runtime.db, false, [])).toBe(1);
  expect(await loadEmailRow(app, id!)).toMatchObject({ state: 'unknown' });
  const lostRow = await loadEmailRow(app, id!);
  expect(lostRow).toMatchObject({
    latest_status: 'DELIVERY_DELAYED',
    reason: expect.stringContaining('may have been sent'),
  });
  expect(await loadEvents(app, id!)).toEqual([
    { status: 'DELIVERY_DELAYED', data: { reason: lostRow.reason } },
  ]);
  expect(await releaseExpiredLeases(local.runtime.db, true, [])).toBe(1);
  const worker = await local.deliver();
  await untilEmail(local, delayedEmail!, (r) => r.state === 'sent');
  await worker.stop();
});

test('fails mail after the maximum waiting time with the reason for the wait', async () => {
  const [id] = await sendEmails(local, local.main);
  await local.runtime.db.rows(
    sql`update svc_email set attempts = 3, reason = 'The provider is away.', create_date = now() - interval '4 days' where workspace_id > 0 and public_id = ${id}`,
  );
  await expire(local.runtime.db, local.main.ctx.workspace.id);
  const failedRow = await loadEmailRow(local, id!);
  expect(failedRow).toMatchObject({ state: 'failed', latest_status: 'FAILED' });
  expect(failedRow.reason).toContain('The provider is away.');
});

test('fails unattempted and delayed mail, but not scheduled mail, after the maximum waiting time', async () => {
  const [never, later, planned] = await sendEmails(local, local.main, {}, 3);
  await updateEmail(local, never!, `create_date = now() - interval '4 days'`);
  await updateEmail(
    local,
    later!,
    `attempts = 9, run_at = now() + interval '4 minutes', create_date = now() - interval '4 days'`,
  );
  await updateEmail(
    local,
    planned!,
    `run_at = now() + interval '1 day', scheduled_at = now() + interval '1 day', create_date = now() - interval '9 days'`,
  );
  await expire(local.runtime.db, local.main.ctx.workspace.id);
  for (const id of [never, later]) {
    expect(await loadEmailRow(local, id!)).toMatchObject({ state: 'failed', latest_status: 'FAILED' });
    expect((await loadEvents(local, id!))[0]?.data?.error).toContain('72 hours');
  }
  expect(await loadEmailRow(local, planned!)).toMatchObject({ state: 'queued' });
});

test("does not delay a workspace's single email behind another's backlog", {
  tags: 'slow',
}, async () => {
  const smallTenant = await local.tenant('small');
  await sendEmails(local, local.main, {}, 600);
  const [one] = await sendEmails(local, smallTenant);
  const worker = await local.deliver();
  await untilEmail(local, one!, (r) => r.state === 'sent');
  await eventually(async () => (await countQueued()) === 0, 'all are sent');
  await worker.stop();
  const after = await local.runtime.db.value<number>(
    sql`select count(*)::int from svc_outbox where workspace_id = ${local.main.ctx.workspace.id}
       and id > (select id from svc_outbox where workspace_id = ${smallTenant.ctx.workspace.id})`,
  );
  expect(after).toBeGreaterThan(300);

  function countQueued(): Promise<number> {
    return local.runtime.db.value<number>(
      sql`select count(*)::int from svc_email where workspace_id > 0 and state <> 'sent' and run_at <= now() and state <> 'failed'`,
    );
  }
});

test('simulates outcomes of simulator addresses, and suppresses addresses that bounce or complain', async () => {
  const worker = await local.deliver();
  const outcomes = {
    'success@simulator.amazonses.com': 'DELIVERED',
    'bounce@simulator.amazonses.com': 'BOUNCED',
    'complaint@simulator.amazonses.com': 'COMPLAINED',
  };
  for (const [address, status] of Object.entries(outcomes)) {
    const [id] = await sendEmails(local, local.main, { to: [address] });
    const sentRow = await untilEmail(local, id!, (r) => r.state === 'sent');
    expect(sentRow.latest_status).toBe(status);
    expect((await loadEvents(local, id!)).map((e) => e.status)[0]).toBe('SENT');
  }
  const [repeated] = await sendEmails(local, local.main, { to: ['Bounce <BOUNCE@simulator.amazonses.com>'] });
  await worker.stop();
  expect(await loadEmailRow(local, repeated!)).toMatchObject({
    state: 'suppressed',
    latest_status: 'SUPPRESSED',
  });
  expect((await loadEvents(local, repeated!)).map((e) => e.status)).toEqual(['SUPPRESSED']);
});

test('omits a suppressed recipient and sends to the others', async () => {
  const worker = await local.deliver();
  const [id] = await sendEmails(local, local.main, {
    to: ['complaint@simulator.amazonses.com', 'fine@example.org'],
  });
  await untilEmail(local, id!, (r) => r.state === 'sent');
  await worker.stop();
  const recipients = await local.runtime.db.value<string[]>(
    sql`select o.recipients from svc_outbox o join svc_email e on e.workspace_id = o.workspace_id and e.id = o.email_id where e.public_id = ${id}`,
  );
  expect(recipients).toEqual(['fine@example.org']);
});

test('sends a scheduled email at the scheduled time', async () => {
  const worker = await local.deliver();
  const scheduleAfter = (ms: number) => ({ scheduledAt: new Date(Date.now() + ms).toISOString() });
  const [later] = await sendEmails(local, local.main, scheduleAfter(3_600_000));
  const soon = scheduleAfter(1500);
  const [id] = await sendEmails(local, local.main, soon);
  await untilEmail(local, id!, (r) => r.state === 'sent');
  await worker.stop();
  const outcomes = await local.runtime.db.rows(
    sql`select o.create_date >= ${soon.scheduledAt}::timestamptz as later from svc_outbox o join svc_email e on e.workspace_id = o.workspace_id and e.id = o.email_id
     where o.workspace_id > 0 and e.public_id = ${id}`,
  );
  expect(outcomes).toEqual([{ later: true }]);
  expect(await loadEmailRow(local, later!)).toMatchObject({ state: 'queued', latest_status: 'SCHEDULED' });
});
