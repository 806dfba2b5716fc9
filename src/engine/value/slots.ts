import { errors } from '../../errors.ts';

/** Limits how many functions run and how many wait at the same time. */
interface ConcurrencySlots {
  /**
   * Runs `fn` as soon as a slot is free.
   * @param holder the caller, who may use only a share of the queue
   * @throws BUSY if the queue is full
   */
  run<T>(holder: string, fn: () => Promise<T>): Promise<T>;
}

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
      throw errors.busy('Too many people are signing in at the moment. Try again.');
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
