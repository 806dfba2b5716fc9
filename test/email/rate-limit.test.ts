import { beforeEach, expect, test } from 'vitest';
import { CONCURRENT_SENDS } from '../../schema/email/queue/deliver.ts';
import { sql } from '../../src/db/sql.ts';
import { createRateLimiter } from '../../src/email/rate-limiter.ts';
import { createRateWindow } from '../../src/email/rate-window.ts';
import { createManualClock } from '../harness/clock.ts';
import { until as eventually } from '../harness/wait.ts';
import { type Departures, watchDepartures } from './departures.ts';
import { loadEmailRow, sendEmails, setUpSending, untilEmail, updateEmail } from './sending.ts';

const { ses, app } = setUpSending();

beforeEach(async () => {
  ses.reset();
  await app.runtime.db.rows(sql`delete from svc_email where workspace_id > 0`);
});

async function areAllSent(): Promise<boolean> {
  const states = await app.runtime.db.rows(
    sql`select state, reason, count(*) from svc_email where workspace_id > 0 and state <> 'sent' group by 1, 2`,
  );
  if (states.length > 0) throw new Error(JSON.stringify(states));
  return true;
}

const untilAllSent = (): Promise<void> => eventually(areAllSent, 'all are sent');

async function sendAll(count: number): Promise<Departures> {
  const departures = watchDepartures();
  const worker = await app.deliver({ transport: await departures.transport(app) });
  await sendEmails(app, app.main, {}, count);
  await untilAllSent();
  await worker.stop();
  return departures;
}

test('sends no more per second than the provider allows, under any load of the process', async () => {
  ses.set({}, { MaxSendRate: 100 });
  const departures = await sendAll(350);
  expect(departures.departureTimes).toHaveLength(350);
  expect(departures.getMaxPerSecond()).toBeLessThanOrEqual(100);
  expect(ses.duplicates()).toEqual({});
});

test('delivers everything once to a provider that throttles below its announced rate', {
  tags: 'slow',
}, async () => {
  ses.set({ enforcePerSecond: 30 }, { MaxSendRate: 60 });
  const worker = await app.deliver();
  const ids = await sendEmails(app, app.main, {}, 90);
  await untilAllSent();
  await worker.stop();
  expect(ses.posts()).toBeGreaterThan(90);
  expect(ses.accepted).toHaveLength(90);
  expect(ses.duplicates()).toEqual({});
  expect((await loadEmailRow(app, ids[0]!)).reason).toBeNull();
});

test('delivers everything once despite SES throttling, with a per-second limiter and the reaper', {
  tags: 'slow',
}, async () => {
  ses.set({}, { MaxSendRate: 40 });
  expect((await sendAll(100)).getMaxPerSecond()).toBeLessThanOrEqual(40);

  ses.reset();
  ses.set({ enforcePerSecond: 20 }, { MaxSendRate: 40 });
  await app.runtime.db.rows(sql`delete from svc_email where workspace_id > 0`);
  const ids = await sendEmails(app, app.main, {}, 60);
  const [orphans, others] = [ids.slice(0, 3), ids.slice(3)];
  for (const id of orphans)
    await updateEmail(
      app,
      id,
      `state = 'sending', attempts = 1, lease_by = 'dead', lease_until = now() - interval '1 second'`,
    );
  // The reaper runs every third of the lease.
  const worker = await app.deliver({ leaseTime: 6_000 });
  for (const id of others) await untilEmail(app, id, (r) => r.state === 'sent');
  for (const id of orphans) {
    await untilEmail(app, id, (r) => r.state === 'unknown');
    await updateEmail(app, id, `write_date = now() - interval '11 minutes'`);
  }
  await untilAllSent();
  await worker.stop();
  const attempts = await Promise.all(others.map(async (id) => (await loadEmailRow(app, id)).attempts));
  // Some emails were postponed and not retried immediately.
  expect(Math.max(...attempts)).toBeGreaterThan(1);
  expect(ses.posts()).toBeLessThan(2 * 60);
  expect(ses.accepted).toHaveLength(60);
  expect(ses.duplicates()).toEqual({});
});

test.each(['error-500', 'error-500-after', 'reset', 'reset-after'] as const)(
  'resends every email after a lost response (%s) under its Message-ID',
  async (behavior) => {
    ses.set({ behavior, times: 10 }, { MaxSendRate: 1000 });
    const clock = createManualClock();
    const worker = await app.deliver({ clock });
    const ids = await sendEmails(app, app.main, {}, 40);
    for (const id of ids) await untilEmail(app, id, (r) => ['sent', 'unknown'].includes(r.state), clock);
    for (const id of ids) await updateEmail(app, id, `write_date = now() - interval '11 minutes'`);
    await clock.until(areAllSent, 'all are sent');
    await worker.stop();
    const counts = Object.values(ses.duplicates());
    expect(counts).toEqual(behavior.endsWith('-after') ? Array.from({ length: 10 }, () => 2) : []);
    const buildId = (raw: Buffer) => /^Message-ID: (.+)$/im.exec(raw.toString())![1];
    expect(new Set(ses.accepted.map(({ raw }) => buildId(raw!))).size).toBe(40);
  },
);

test('sends to a slow provider with as much concurrency as the rate requires', {
  tags: 'slow',
}, async () => {
  ses.set({ delayMs: 3000 }, { MaxSendRate: 200 });
  const departures = await sendAll(600);
  expect(departures.getMaxPerSecond()).toBeLessThanOrEqual(200);
  expect(departures.maxInFlight).toBeGreaterThan(CONCURRENT_SENDS);
});

test('divides the rate among several processes', () => {
  const pace = createRateLimiter();
  pace.update({ perSecond: 100, perDay: -1, sentLast24h: 0 });
  const aloneCapacity = pace.getCapacity(1000);
  pace.share(2);
  expect(pace.getCapacity(1000)).toBeLessThanOrEqual(aloneCapacity / 2 + 5);
  pace.share(1);
  expect(pace.getCapacity(1000)).toBeGreaterThan(90);
});

test('grants window slots in order, queues further requests, and releases waiting requests on stop', async () => {
  const clock = createManualClock();
  const window = createRateWindow(clock);
  window.update(2);
  const leave = await window.waitForSlot(1);
  (await window.waitForSlot(1))();
  const stop = new AbortController();
  const third = window.waitForSlot(2, stop.signal);
  expect(window.countWaiting()).toBe(2);
  stop.abort();
  await expect(third).rejects.toThrow();
  expect(window.countWaiting()).toBe(0);
  // The outcome of the first send is unknown.
  await clock.pass(1100);
  const fourth = window.waitForSlot(2);
  expect(window.countWaiting()).toBe(2);
  leave();
  await clock.pass(1100);
  await fourth;
  expect(window.countWaiting()).toBe(0);
});

test('sends a message alone if it has more recipients than the rate per second', async () => {
  const clock = createManualClock();
  const window = createRateWindow(clock);
  window.update(5);
  await window.waitForSlot(12);
  const next = window.waitForSlot(1);
  expect(window.countWaiting()).toBe(1);
  await clock.pass(2100);
  await next;
});
