import { errors } from '../errors.ts';

/** Counts failures by source and refuses a source for `pause` ms after `most` of them in a row. */
export interface Throttle {
  /** @throws ACCESS_DENIED while the source is paused */
  check(source: string): void;
  /** Counts a failure when `result` is null, forgets them otherwise; gives `result` back. */
  count<T>(source: string, result: T | null): T | null;
}

const SOURCES_KEPT = 10_000;

export function createThrottle(most: number, pause: number, now: () => number = Date.now): Throttle {
  const failures = new Map<string, { count: number; last: number }>();
  return {
    check(source) {
      const entry = failures.get(source);
      if (!entry || entry.count < most) return;
      if (now() - entry.last < pause) throw errors.tooManyLogins();
      failures.delete(source);
    },
    count(source, result) {
      if (result !== null) {
        failures.delete(source);
        return result;
      }
      if (failures.size >= SOURCES_KEPT) failures.clear();
      const entry = failures.get(source) ?? { count: 0, last: 0 };
      failures.set(source, { count: entry.count + 1, last: now() });
      return null;
    },
  };
}
