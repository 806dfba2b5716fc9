import { setImmediate as idle } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRateLimiter, createTokenBucket } from '../../src/email/rate-limiter.ts';
import type { Clock } from '../../src/loop/clock.ts';
import { createManualClock } from '../harness/clock.ts';

test('grants the burst of an idle bucket immediately and then one token per period', async () => {
  const clock = createManualClock();
  const bucket = createTokenBucket({ perSecond: 10, burst: 2 }, clock);
  expect([bucket.take(1), bucket.take(1), bucket.take(1), bucket.take(1)]).toEqual([0, 0, 100, 200]);
  await clock.pass(200);
  expect(bucket.take(1)).toBe(100);
  await clock.pass(60_000);
  expect([bucket.take(2), bucket.take(1)]).toEqual([0, 100]);
});

test('counts recipients, and lets a message exceed the burst by going into debt', () => {
  const bucket = createTokenBucket({ perSecond: 10, burst: 1 }, createManualClock());
  expect([bucket.take(50), bucket.take(1)]).toEqual([4900, 5000]);
});

test.each([1, 14, 200])(
  'stays below 1.1 times the rate of %i in any second and grants everything',
  async (perSecond) => {
    const clock = createManualClock();
    const bucket = createTokenBucket({ perSecond }, clock);
    const sent: number[] = [];
    const random = createRandom();
    const end = clock.now() + 30_000;
    while (clock.now() < end) {
      const wait = bucket.take(1);
      await clock.pass(wait + (random() < 0.01 ? 1500 : 0));
      sent.push(clock.now());
      if (wait === 0) await clock.pass(0);
    }
    const peak = Math.max(
      ...sent.map((from) => sent.filter((index) => index >= from && index < from + 1000).length),
    );
    expect(peak).toBeLessThanOrEqual(Math.ceil(perSecond * 1.1) + 1);
  },
);

test.each([
  ['even', 0],
  ['uneven', 900],
])('uses the full rate without exceeding it in any second over %s paths', async (_ways, maxDelay) => {
  const clock = createQuickClock();
  const pace = createRateLimiter(clock);
  pace.update({ perSecond: 100, perDay: -1, sentLast24h: 0 });
  const random = createRandom();
  const arrived: number[] = [];
  const send = async () => {
    const admission = pace.reserve(1);
    if ('waitMs' in admission) await clock.sleep(admission.waitMs);
    const slot = await pace.waitForSlot(1);
    const outageDelay = random() < 0.5 ? 0 : random() * maxDelay;
    const delay = outageDelay * random();
    await clock.sleep(20 + delay);
    arrived.push(clock.now());
    await clock.sleep(outageDelay - delay);
    slot();
  };
  const all = Array.from({ length: 2_000 }, send);
  await clock.run();
  await Promise.all(all);
  const countWithin = (from: number) =>
    arrived.filter((index) => index >= from && index < from + 1000).length;
  expect(Math.max(...arrived.map(countWithin))).toBeLessThanOrEqual(100);
  expect(Math.max(...arrived) - Math.min(...arrived)).toBeLessThan(maxDelay === 0 ? 20_500 : 40_000);
});

/** Creates a clock that wakes the next sleeper as soon as the process is idle. */
function createQuickClock(): Clock & { run(): Promise<void> } {
  let time = 0;
  let sleepers: { at: number; wake(): void }[] = [];
  return {
    now: () => time,
    sleep: (ms) =>
      new Promise((wake) => {
        sleepers.push({ at: time + ms, wake });
      }),
    async run() {
      for (await idle(); sleepers.length > 0; await idle()) {
        const next = sleepers.reduce((a, b) => (b.at < a.at ? b : a));
        sleepers = sleepers.filter((sleeper) => sleeper !== next);
        time = Math.max(time, next.at);
        next.wake();
      }
    },
  };
}

test('keeps exactly to the rate for many concurrent callers', () => {
  const clock = createManualClock();
  const bucket = createTokenBucket({ perSecond: 100, burst: 1 }, clock);
  const waits = Array.from({ length: 1000 }, () => bucket.take(1));
  expect(waits.at(-1)).toBe(9990);
  expect(new Set(waits).size).toBe(1000);
});

test('applies a new rate to later sends and grants nothing during a pause', async () => {
  const clock = createManualClock();
  const bucket = createTokenBucket({ perSecond: 1, burst: 1 }, clock);
  bucket.take(1);
  bucket.update(10);
  expect(bucket.take(1)).toBe(100);
  bucket.giveBack(1);
  bucket.pause(1000);
  expect(bucket.take(1)).toBe(1000);
  await clock.pass(1000);
  expect(bucket.take(1)).toBe(0);
});

test('delays nothing if there are no limits', () => {
  const pace = createRateLimiter(createManualClock());
  expect([pace.due(), pace.reserve(50), pace.reserve(50), pace.remaining()]).toEqual([
    true,
    { waitMs: 0 },
    { waitMs: 0 },
    Infinity,
  ]);
});

test('counts recipients against the daily quota and blocks until new limits arrive', async () => {
  const clock = createManualClock();
  const pace = createRateLimiter(clock);
  pace.update({ perSecond: 1000, perDay: 200, sentLast24h: 190 });
  expect([pace.due(), pace.remaining()]).toEqual([false, 10]);
  expect(pace.reserve(8)).toEqual({ waitMs: 0 });
  expect(pace.reserve(3)).toEqual({ blockedMs: 60_000, scope: 'daily' });
  expect(pace.reserve(2)).toEqual({ waitMs: 0 });
  pace.release(2);
  expect(pace.remaining()).toBe(2);
  await clock.pass(60_000);
  expect(pace.due()).toBe(true);
  pace.update({ perSecond: 1000, perDay: 200, sentLast24h: 100 });
  expect([pace.due(), pace.remaining()]).toEqual([false, 100]);
  pace.update({ perSecond: 1000, perDay: -1, sentLast24h: 10 ** 9 });
  expect(pace.remaining()).toBe(Infinity);
});

test("pauses for the time that the provider's throttling response requests", async () => {
  const clock = createManualClock();
  const pace = createRateLimiter(clock);
  pace.update({ perSecond: 1000, perDay: -1, sentLast24h: 0 });
  pace.throttled({ scope: 'rate', retryAfterMs: 1000, reason: '' });
  expect(pace.reserve(1)).toEqual({ waitMs: 1000 });
  pace.throttled({ scope: 'daily', retryAfterMs: 900_000, reason: '' });
  expect(pace.reserve(1)).toEqual({ blockedMs: 900_000, scope: 'daily' });
  await clock.pass(900_000);
  expect(pace.reserve(1)).toEqual({ waitMs: 0 });
});

test('computes the capacity within a time span: zero in a pause, unlimited without a rate', async () => {
  const clock = createManualClock();
  const bucket = createTokenBucket({ perSecond: 10, burst: 1 }, clock);
  expect([bucket.getCapacity(0), bucket.getCapacity(1000)]).toEqual([1, 11]);
  bucket.take(6);
  expect([bucket.getCapacity(500), bucket.getCapacity(1000)]).toEqual([0, 5]);
  bucket.pause(2000);
  expect([bucket.getCapacity(1000), bucket.getCapacity(2000)]).toEqual([0, 15]);
  await clock.pass(2000);
  expect(bucket.getCapacity(0)).toBe(1);
  expect(createTokenBucket({ perSecond: Infinity }, clock).getCapacity(0)).toBe(Infinity);
});

test('reports no capacity and a reason while the daily quota is used up', async () => {
  const clock = createManualClock();
  const pace = createRateLimiter(clock);
  expect([pace.getCapacity(0), pace.blocked()]).toEqual([Infinity, null]);
  pace.update({ perSecond: 1000, perDay: 200, sentLast24h: 198 });
  expect([pace.getCapacity(1000), pace.blocked()]).toEqual([2, null]);
  pace.reserve(2);
  expect([pace.getCapacity(1000), pace.blocked()]).toEqual([0, expect.stringContaining('daily quota')]);
  pace.update({ perSecond: 1000, perDay: -1, sentLast24h: 0 });
  pace.throttled({ scope: 'daily', retryAfterMs: 900_000, reason: '' });
  expect([pace.getCapacity(1000), pace.blocked()]).toEqual([0, expect.stringContaining('daily quota')]);
  await clock.pass(900_000);
  expect([pace.getCapacity(0), pace.blocked()]).toEqual([99.5, null]);
});

/** Creates a deterministic random sequence, so that failures are reproducible. */
function createRandom() {
  let state = 42;
  return () => {
    state = (state * 1_103_515_245 + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

test('keeps the last limits if new ones cannot be loaded, and retries after the usual interval', async () => {
  const clock = createManualClock();
  const pace = createRateLimiter(clock, 1000);
  pace.update({ perSecond: 10, perDay: 100, sentLast24h: 95 });
  await clock.pass(1000);
  expect(pace.due()).toBe(true);
  pace.postpone();
  expect([pace.due(), pace.remaining()]).toEqual([false, 5]);
  expect(pace.reserve(1)).toEqual({ waitMs: 0 });
  await clock.pass(1000);
  expect(pace.due()).toBe(true);
});

test('holds all mail on an account problem and reports it as the reason', async () => {
  const clock = createManualClock();
  const pace = createRateLimiter(clock);
  pace.throttled({ scope: 'account', retryAfterMs: 60_000, reason: 'paused' });
  expect([pace.getCapacity(1000), pace.blocked(), pace.due()]).toEqual([0, 'paused', false]);
  for (const scope of ['set', 'domain', 'sender', 'recipient'] as const)
    pace.throttled({ scope, retryAfterMs: 120_000, reason: 'not all' });
  await clock.pass(60_000);
  expect([pace.getCapacity(0), pace.blocked()]).toEqual([Infinity, null]);
});
