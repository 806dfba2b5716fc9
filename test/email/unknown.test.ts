import { beforeEach, expect, test } from 'vitest';
import { recordOutcomes, toEmailOutcome } from '../../schema/email/queue/record-outcome.ts';
import { resolveUnknownEmails } from '../../schema/email/queue/unknown.ts';
import { sql } from '../../src/db/sql.ts';
import { createCtx } from '../../src/engine/ctx/ctx.ts';
import { call } from '../../src/engine/operation/call.ts';
import { createManualClock } from '../harness/clock.ts';
import type { Tenant } from '../harness/tenant.ts';
import {
  loadEmailRow,
  loadEvents,
  loseEmail,
  reportStatus,
  sendEmails,
  setUpSending,
  untilEmail,
  updateEmail,
} from './sending.ts';

const { ses, app } = setUpSending();

beforeEach(async () => {
  ses.reset();
  ses.set({}, { MaxSendRate: 1000 });
  await app.runtime.db.rows(sql`delete from svc_email where workspace_id > 0`);
});

const RESEND = { unknownMinutes: 10, unknownPolicy: 'resend' } as const;
const HOLD = { unknownMinutes: 10, unknownPolicy: 'hold' } as const;
const resolve = (policy: typeof RESEND | typeof HOLD = RESEND) =>
  resolveUnknownEmails(app.runtime.db, policy);
const ageEmail = (id: string, minutes: number) =>
  updateEmail(app, id, `write_date = now() - interval '${minutes} minutes'`);

/** Sends an email whose worker dies, so that its outcome is unknown. */
async function sendLost(): Promise<string> {
  const [id] = await sendEmails(app, app.main);
  await loseEmail(app, id!);
  return id!;
}

async function callAsTeam(
  tenant: Tenant,
  operation: 'emailSendAgain' | 'emailGiveUp',
  id: string,
): Promise<string> {
  const caller = (await app.runtime.identity.byKey(tenant.teamKey))!;
  return call(createCtx(app.runtime, { ...caller, channel: 'rest', requestId: 'test' }), operation, { id });
}

const getMessageIds = () => ses.accepted.map(({ raw }) => /^Message-ID: (.+)$/im.exec(raw!.toString())![1]);

test('resends an email under its Message-ID once after the timeout if its response was lost', async () => {
  ses.set({ behavior: 'reset-after', times: 1 });
  const worker = await app.deliver();
  const [id] = await sendEmails(app, app.main);
  await untilEmail(app, id!, (r) => r.state === 'unknown');
  await ageEmail(id!, 9);
  expect(await resolve()).toBe(0);
  expect((await loadEmailRow(app, id!)).state).toBe('unknown');
  await ageEmail(id!, 11);
  expect(await resolve()).toBe(1);
  worker.wake();
  expect(await untilEmail(app, id!, (r) => r.state === 'sent')).toMatchObject({
    latest_status: 'SENT',
    attempts: 2,
  });
  await worker.stop();
  expect(new Set(getMessageIds()).size).toBe(1);
  expect(ses.accepted).toHaveLength(2);
  const events = await loadEvents(app, id!);
  expect(events.map((event) => event.status)).toEqual(['DELIVERY_DELAYED', 'QUEUED', 'SENT']);
  expect(events[1]!.data!.reason).toMatch(/nothing about it within 10 minutes; sent again/);
});

test('resends the email in a running worker', async () => {
  const id = await sendLost();
  await ageEmail(id, 11);
  const clock = createManualClock();
  const worker = await app.deliver({ clock });
  await untilEmail(app, id, (r) => r.state === 'sent', clock);
  await worker.stop();
  expect(ses.posts()).toBe(1);
});

test('resolves the email without a resend if the provider reports it within the timeout', async () => {
  const id = await sendLost();
  await ageEmail(id, 9);
  await reportStatus(app, id, 'SENT');
  expect(await loadEmailRow(app, id)).toMatchObject({ state: 'sent', reason: null });
  await ageEmail(id, 60);
  expect(await resolve()).toBe(0);
});

test('cancels the resend if a report arrives after the email was requeued', async () => {
  const id = await sendLost();
  await ageEmail(id, 11);
  await resolve();
  expect((await loadEmailRow(app, id)).state).toBe('queued');
  await reportStatus(app, id, 'DELIVERED');
  expect(await loadEmailRow(app, id)).toMatchObject({ state: 'sent', latest_status: 'DELIVERED' });
  const clock = createManualClock();
  const worker = await app.deliver({ clock });
  await clock.pass(6_000);
  await worker.stop();
  expect(ses.posts()).toBe(0);
});

test('makes no third attempt if a report arrives during the second', async () => {
  const id = await sendLost();
  await ageEmail(id, 11);
  await resolve();
  await updateEmail(
    app,
    id,
    `state = 'sending', attempts = attempts + 1, lease_by = 'w', lease_until = now() + interval '1 minute'`,
  );
  await reportStatus(app, id, 'DELIVERED');
  const [email] = await app.runtime.db.rows<{ workspace_id: number; id: number; attempts: number }>(
    sql`select workspace_id, id, attempts from svc_email where workspace_id > 0 and public_id = ${id}`,
  );
  const throttled = { kind: 'throttled', scope: 'rate', retryAfterMs: 0, reason: 'slow down' } as const;
  await recordOutcomes(app.runtime, email!.workspace_id, 'w', [
    toEmailOutcome({ ...email!, reason: null, pending: [], partly: false }, throttled, 'ses'),
  ]);
  expect(await loadEmailRow(app, id)).toMatchObject({
    state: 'sent',
    latest_status: 'DELIVERED',
    reason: null,
  });
});

test('fails with both reasons if the second response is lost too, until a late report corrects it', async () => {
  const id = await sendLost();
  await ageEmail(id, 11);
  expect(await resolve()).toBe(1);
  await loseEmail(app, id);
  expect(await resolve()).toBe(0);
  await ageEmail(id, 11);
  expect(await resolve()).toBe(0);
  const failedRow = await loadEmailRow(app, id);
  expect(failedRow).toMatchObject({ state: 'failed', latest_status: 'FAILED' });
  expect(failedRow.reason).toMatch(/within 10 minutes, nor about the previous attempt.*may have been sent/);
  expect((await loadEvents(app, id)).at(-1)).toMatchObject({ status: 'FAILED' });
  await reportStatus(app, id, 'DELIVERED');
  expect(await loadEmailRow(app, id)).toMatchObject({
    state: 'sent',
    latest_status: 'DELIVERED',
    reason: null,
  });
});

test('holds the email until the operator resends it or gives up, if a manual decision is required', async () => {
  const [one, other] = [await sendLost(), await sendLost()];
  for (const id of [one, other]) await ageEmail(id, 600);
  for (let i = 0; i < 2; i++) expect(await resolve(HOLD)).toBe(0);
  for (const id of [one, other]) {
    const heldEmail = await loadEmailRow(app, id);
    expect(heldEmail.state).toBe('unknown');
    expect(heldEmail.reason!.match(/must be resent or marked as failed manually/g)).toHaveLength(1);
  }
  expect(await callAsTeam(app.main, 'emailSendAgain', one)).toBe(one);
  expect(await callAsTeam(app.main, 'emailGiveUp', other)).toBe(other);
  expect(await loadEmailRow(app, other)).toMatchObject({ state: 'failed', latest_status: 'FAILED' });
  const worker = await app.deliver();
  await untilEmail(app, one, (r) => r.state === 'sent');
  await worker.stop();
  expect(ses.posts()).toBe(1);
});

test("rejects decisions about resolved emails and another workspace's emails", async () => {
  const stranger = await app.tenant('stranger');
  const id = await sendLost();
  await expect(callAsTeam(stranger, 'emailSendAgain', id)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  await expect(callAsTeam(stranger, 'emailGiveUp', id)).rejects.toMatchObject({ kind: 'NOT_FOUND' });
  expect((await loadEmailRow(app, id)).state).toBe('unknown');
  await reportStatus(app, id, 'SENT');
  await expect(callAsTeam(app.main, 'emailSendAgain', id)).rejects.toThrow('Its state is sent');
  await expect(callAsTeam(app.main, 'emailGiveUp', id)).rejects.toThrow('already known: sent');
});
