import { errors } from '../../errors.ts';

/** Lets a few do something at a time, and a few more wait for it. */
export interface ConcurrencySlots {
  /**
   * Runs `fn` when there is a place.
   * @param holder who asks; it has no more than its part of the places to wait
   * @throws BUSY when too many wait
   */
  run<T>(holder: string, fn: () => Promise<T>): Promise<T>;
}

/** @param atOnce at one time @param waiting that wait @param waitingOfOne of these, of one holder */
export function createSlots(atOnce: number, waiting: number, waitingOfOne: number): ConcurrencySlots {
  const queue: { holder: string; start: () => void }[] = [];
  let running = 0;
  const reserveSlot = (holder: string): Promise<void> | undefined => {
    if (running < atOnce) return void running++;
    const own = queue.filter((each) => each.holder === holder).length;
    if (queue.length >= waiting || own >= waitingOfOne)
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
        else running--;
      }
    },
  };
}
