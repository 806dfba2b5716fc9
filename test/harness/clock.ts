import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import type { Clock } from '../../src/delivery/clock.ts';
import { pause, until } from './wait.ts';

/** The dates of this process stand at noon UTC of the day while the tests of the file or group run: no midnight falls among them. */
export function freezeAtNoon(): void {
  beforeAll(() => {
    vi.useFakeTimers({ now: new Date().setUTCHours(12, 0, 0, 0), toFake: ['Date'] });
  });
  afterAll(() => {
    vi.useRealTimers();
  });
}

/** No midnight (UTC) falls among what a test does with the database, whose clock cannot be stopped: in the last half minute a test waits. */
export function avoidMidnight(): void {
  beforeEach(async () => {
    const left = DAY_MS - (Date.now() % DAY_MS);
    if (left < 30_000) await pause(left + 1_000);
  });
}

const DAY_MS = 86_400_000;

/** A clock that stands until it is moved on. */
export interface ManualClock extends Clock {
  /** Moves on by `ms`: what sleeps wakes in its turn, at its time. */
  pass(ms: number): Promise<void>;
  /** Lets time pass, half a second each time it asks, until the answer is true. */
  until(check: () => unknown, what: string): Promise<void>;
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
      const end = (how: () => void) => () => {
        sleepers = sleepers.filter((each) => each !== sleeper);
        signal?.removeEventListener('abort', sleeper.stop);
        how();
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
  /** Who was woken does what it does and mostly sleeps again; who does not has ended. */
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
  return { now: () => time, sleep, pass, until: (check, what) => until(() => checkAndAdvance(check), what) };
}
