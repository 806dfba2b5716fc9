import { afterAll, beforeAll, beforeEach, vi } from 'vitest';
import { pause } from './wait.ts';

/** The dates of this process stand at noon UTC of the day while the tests of the file or group run: no midnight falls among them. */
export function standAtNoon(): void {
  beforeAll(() => {
    vi.useFakeTimers({ now: new Date().setUTCHours(12, 0, 0, 0), toFake: ['Date'] });
  });
  afterAll(() => {
    vi.useRealTimers();
  });
}

/** No midnight (UTC) falls among what a test does with the database, whose clock cannot be stopped: in the last half minute a test waits. */
export function keepClearOfMidnight(): void {
  beforeEach(async () => {
    const left = DAY - (Date.now() % DAY);
    if (left < 30_000) await pause(left + 1_000);
  });
}

const DAY = 86_400_000;
