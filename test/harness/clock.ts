import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import type { Clock } from '../../src/loop/clock.ts';
import { pause, until } from './wait.ts';

/**
 * Freezes the date of this process at noon UTC during the tests of the file or group, so that midnight never passes.
 */
export function freezeClockAtNoon(): void {
  beforeAll(() => {
    vi.useFakeTimers({ now: new Date().setUTCHours(12, 0, 0, 0), toFake: ['Date'] });
  });
  afterAll(() => {
    vi.useRealTimers();
  });
}

/** Prevents midnight (UTC) from passing during a test that uses the database's clock. */
export function avoidMidnight(): void {
  beforeEach(() => skipEndOf(DAY_MS));
}

/** Prevents the minute of the database's clock from ending during the test. */
export const avoidEndOfMinute = (): Promise<void> => skipEndOf(MINUTE_MS);

async function skipEndOf(periodMs: number): Promise<void> {
  const msLeft = periodMs - (Date.now() % periodMs);
  if (msLeft < 20_000) await pause(msLeft + 1_000);
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** A clock that stands still until it is advanced. */
export interface ManualClock extends Clock {
  /** Advances by `ms`. Sleepers wake in order, each at its time. */
  pass(ms: number): Promise<void>;
  /** Advances by `ms` at once. Each due sleeper wakes only once, at the end, so polling costs nothing. */
  jump(ms: number): Promise<void>;
  /** Advances in steps of half a second until the check is true. */
  until(check: () => unknown, label: string): Promise<void>;
}

interface Sleeper {
  at: number;
  wake(): void;
}

export function createManualClock(): ManualClock {
  let time = 1_000_000;
  let sleepers: Sleeper[] = [];
  const sleep: Clock['sleep'] = (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const end = (reason: () => void) => () => {
        sleepers = sleepers.filter((item) => item !== sleeper);
        signal?.removeEventListener('abort', sleeper.stop);
        reason();
      };
      const sleeper = { at: time + ms, wake: end(resolve), stop: end(() => reject(signal!.reason)) };
      sleepers.push(sleeper);
      signal?.addEventListener('abort', sleeper.stop);
    });
  async function pass(ms: number): Promise<void> {
    const all = sleepers.length;
    for (const end = time + ms; ; ) {
      const next = sleepers.reduce<Sleeper | null>((a, b) => (a && a.at <= b.at ? a : b), null);
      if (!next || next.at > end) {
        time = end;
        return;
      }
      time = Math.max(time, next.at);
      next.wake();
      await waitForSleepers(all);
    }
  }
  async function jump(ms: number): Promise<void> {
    const all = sleepers.length;
    time += ms;
    for (const { at, wake } of sleepers) if (at <= time) wake();
    await waitForSleepers(all);
  }
  /** A woken sleeper usually sleeps again. One that does not has finished. */
  async function waitForSleepers(all: number): Promise<void> {
    for (const end = performance.now() + 100; sleepers.length < all && performance.now() < end; )
      await pause(1);
  }
  const checkAndAdvance = async (check: () => unknown) => {
    let yes: unknown;
    try {
      yes = await check();
      return yes;
    } finally {
      if (!yes) await pass(500);
    }
  };
  return {
    now: () => time,
    sleep,
    pass,
    jump,
    until: (check, label) => until(() => checkAndAdvance(check), label),
  };
}
