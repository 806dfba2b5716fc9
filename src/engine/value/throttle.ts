import { createCache } from '../../cache.ts';
import { errors } from '../../errors.ts';

/** Lets a few attempts at one thing fail and then pauses it. */
export interface Throttle {
  /**
   * Runs an attempt. It counts from its beginning, so that many at once are no way around; one that succeeds (gives
   * anything but null) wipes the slate.
   * @throws ACCESS_DENIED while `what` is paused
   */
  attempt<T>(what: string, fn: () => Promise<T | null>): Promise<T | null>;
}

const ENTRIES = 10_000;

/** @param most attempts before a pause @param pause ms from the last attempt */
export function createThrottle(most: number, pause: number, now: () => number = Date.now): Throttle {
  const attempts = createCache<string, number>({ age: pause, entries: ENTRIES, now });
  const countOf = (what: string) => attempts.get(what) ?? 0;
  return {
    async attempt(what, fn) {
      if (countOf(what) >= most) throw errors.tooManyLogins();
      attempts.set(what, countOf(what) + 1);
      const result = await fn();
      if (result !== null) attempts.delete(what);
      return result;
    },
  };
}
