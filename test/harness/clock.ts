import { afterAll, beforeAll, vi } from 'vitest';

/** The dates of this process stand at noon UTC of the day while the tests of the file or group run: no midnight falls among them. */
export function standAtNoon(): void {
  beforeAll(() => {
    vi.useFakeTimers({ now: new Date().setUTCHours(12, 0, 0, 0), toFake: ['Date'] });
  });
  afterAll(() => {
    vi.useRealTimers();
  });
}
