import { createSleeper } from './sleeper.ts';

export interface WorkerLoop {
  /** Ends the current pause, because work is due. */
  wake(): void;
  /** Starts no further work and waits for running work. Never rejects. */
  stop(): Promise<void>;
}

/**
 * Repeats `work` until it is stopped, and pauses while there is nothing to do.
 * @param work returns the amount of work done; must not reject
 */
export function startWorkerLoop(intervalMs: number, work: () => Promise<number>): WorkerLoop {
  const sleeper = createSleeper();
  let isStopping = false;
  const loop = (async () => {
    while (!isStopping) if ((await work()) === 0) await sleeper.sleep(intervalMs);
  })();
  return {
    wake: sleeper.wake,
    async stop() {
      isStopping = true;
      sleeper.wake();
      await loop;
    },
  };
}
