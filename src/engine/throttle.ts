import { errors } from '../errors.ts';

/** Lets a few attempts at one thing fail and then pauses it. */
export interface Throttle {
  /**
   * Runs an attempt. It counts from its beginning, so that many at once are no way around; one that succeeds (gives
   * anything but null) wipes the slate.
   * @throws ACCESS_DENIED while `what` is paused
   */
  attempt<T>(what: string, fn: () => Promise<T | null>): Promise<T | null>;
}

const KEPT = 10_000;

/** @param most attempts before a pause @param pause ms from the last attempt */
export function createThrottle(most: number, pause: number, now: () => number = Date.now): Throttle {
  const attempts = new Map<string, { count: number; last: number }>();
  return {
    async attempt(what, fn) {
      const before = attempts.get(what);
      const count = before && now() - before.last < pause ? before.count : 0;
      if (count >= most) throw errors.tooManyLogins();
      if (attempts.size >= KEPT) attempts.delete(attempts.keys().next().value!);
      attempts.set(what, { count: count + 1, last: now() });
      const result = await fn();
      if (result !== null) attempts.delete(what);
      return result;
    },
  };
}
