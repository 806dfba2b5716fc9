import { errors } from '../../errors.ts';

/** Limits concurrency: a limited number of functions run at a time, and a limited number wait. */
interface ConcurrencySlots {
  /**
   * Runs `fn` as soon as a slot is free.
   * @param holder the caller, whose share of the waiting places is limited
   * @throws BUSY if too many calls wait
   */
  run<T>(holder: string, fn: () => Promise<T>): Promise<T>;
}

/**
 * @param maxRunning maximum running at a time
 * @param maxWaiting maximum waiting
 * @param maxWaitingPerHolder maximum waiting per holder
 */
export function createSlots(
  maxRunning: number,
  maxWaiting: number,
  maxWaitingPerHolder: number,
): ConcurrencySlots {
  const queue: { holder: string; start: () => void }[] = [];
  let runningCount = 0;
  const reserveSlot = (holder: string): Promise<void> | undefined => {
    if (runningCount < maxRunning) return void runningCount++;
    const ownedCount = queue.filter((item) => item.holder === holder).length;
    if (queue.length >= maxWaiting || ownedCount >= maxWaitingPerHolder)
      throw errors.busy('Too many people are signing in at the moment; try again.');
    return new Promise((start) => queue.push({ holder, start }));
  };
  return {
    async run(holder, fn) {
      await reserveSlot(holder);
      try {
        return await fn();
      } finally {
        const next = queue.shift();
        if (next) next.start();
        else runningCount--;
      }
    },
  };
}
