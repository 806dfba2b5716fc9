import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createPace } from '../../src/delivery/rate.ts';
import { createWindow } from '../../src/delivery/window.ts';
import { type App, startApp } from '../harness/app.ts';
import { type SesStandin, startSes } from '../standins/ses.ts';
import { change, credentials, row, send, sesEnv, until } from './sending.ts';

let ses: SesStandin;
let app: App;

beforeAll(async () => {
  ses = await startSes();
  ses.verify('main.test');
  Object.assign(process.env, credentials);
  app = await startApp(sesEnv(ses));
});
beforeEach(async () => {
  ses.reset();
  await app.runtime.db.rows(`delete from svc_email where workspace_id > 0`);
});
afterAll(async () => {
  await app?.close();
  await ses?.close();
});

async function allSent(count: number, ms = 20_000): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(50)) {
    const [left] = await app.runtime.db.rows<{ n: number }>(
      `select count(*)::int as n from svc_email where workspace_id > 0 and state = 'sent'`,
    );
    if (left!.n === count) return;
  }
  throw new Error(
    JSON.stringify(
      await app.runtime.db.rows(
        `select state, reason, count(*) from svc_email where workspace_id > 0 group by 1, 2`,
      ),
    ),
  );
}

/** The most that arrived within any second. */
function fullest(times: number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return Math.max(...sorted.map((from) => sorted.filter((at) => at >= from && at < from + 1000).length));
}

test('no second holds more than the provider allows, and the rate is used', async () => {
  ses.set({}, { MaxSendRate: 100 });
  const worker = await app.deliver();
  await send(app, app.main, {}, 350);
  await allSent(350);
  await worker.stop();
  const times = ses.accepted.map(({ at }) => at);
  expect(fullest(times)).toBeLessThanOrEqual(100);
  // The stand-in and all else share this process, so only a part of the rate can be counted on.
  expect(Math.max(...times) - Math.min(...times)).toBeLessThan(6000);
  expect(ses.duplicates()).toEqual({});
});

test('a provider that throttles earlier than it said gets everything in the end, nothing twice', async () => {
  ses.set({ enforcePerSecond: 30 }, { MaxSendRate: 60 });
  const worker = await app.deliver();
  const ids = await send(app, app.main, {}, 90);
  await allSent(90);
  await worker.stop();
  expect(ses.posts()).toBeGreaterThan(90);
  expect(ses.accepted).toHaveLength(90);
  expect(ses.duplicates()).toEqual({});
  expect((await row(app, ids[0]!)).reason).toBeNull();
});

test.each(['error-500', 'error-500-after', 'reset', 'reset-after'] as const)(
  'answers that are lost (%s) cost no email: each is sent again under its Message-ID once its time is up',
  async (behaviour) => {
    ses.set({ behaviour, times: 10 }, { MaxSendRate: 1000 });
    const worker = await app.deliver();
    const ids = await send(app, app.main, {}, 40);
    for (const id of ids) await until(app, id, (r) => ['sent', 'unknown'].includes(r.state));
    for (const id of ids) await change(app, id, `write_date = now() - interval '11 minutes'`);
    await allSent(40);
    await worker.stop();
    const counts = Object.values(ses.duplicates());
    expect(counts).toEqual(behaviour.endsWith('-after') ? Array.from({ length: 10 }, () => 2) : []);
    const idOf = (raw: Buffer) => /^Message-ID: (.+)$/im.exec(raw.toString())![1];
    expect(new Set(ses.accepted.map(({ raw }) => idOf(raw!))).size).toBe(40);
  },
);

test('a provider that answers slowly is sent as many at the same time as its rate needs', async () => {
  // Without more at a time than usual these were 64 a second.
  ses.set({ delayMs: 1000 }, { MaxSendRate: 200 });
  const worker = await app.deliver();
  await send(app, app.main, {}, 600);
  await allSent(600);
  await worker.stop();
  const times = ses.accepted.map(({ at }) => at);
  expect(fullest(times)).toBeLessThanOrEqual(200);
  const last = times.slice(300);
  expect((last.length / (Math.max(...last) - Math.min(...last))) * 1000).toBeGreaterThan(100);
});

test('each of several processes takes its part of the rate', () => {
  const pace = createPace();
  pace.update({ perSecond: 100, perDay: -1, sentLast24h: 0 });
  const alone = pace.room(1000);
  pace.share(2);
  expect(pace.room(1000)).toBeLessThanOrEqual(alone / 2 + 5);
  pace.share(1);
  expect(pace.room(1000)).toBeGreaterThan(90);
});

test('places of a window are given in order, more than fit wait, and a stop ends the waiting', async () => {
  let time = 0;
  const window = createWindow(() => time);
  window.update(2);
  const leave = await window.enter(1);
  (await window.enter(1))();
  const stop = new AbortController();
  const third = window.enter(2, stop.signal);
  expect(window.waiting()).toBe(2);
  stop.abort();
  await expect(third).rejects.toThrow();
  expect(window.waiting()).toBe(0);
  // Nobody knows of the first whether it has arrived.
  time = 1100;
  const fourth = window.enter(2);
  expect(window.waiting()).toBe(2);
  leave();
  time = 2200;
  await fourth;
  expect(window.waiting()).toBe(0);
});

test('one message with more recipients than a second allows leaves alone', async () => {
  let time = 0;
  const window = createWindow(() => time);
  window.update(5);
  await window.enter(12);
  const next = window.enter(1);
  expect(window.waiting()).toBe(1);
  time = 2100;
  await next;
});
