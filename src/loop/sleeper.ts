import { type Clock, realClock } from './clock.ts';

export interface Sleeper {
  sleep(ms: number): Promise<void>;
  /** Ends the current sleep. If there is none, the next sleep ends immediately. */
  wake(): void;
}

export function createSleeper(clock: Clock = realClock): Sleeper {
  let woken = false;
  let running: AbortController | null = null;
  return {
    async sleep(ms) {
      if (!woken) {
        running = new AbortController();
        await clock.sleep(ms, running.signal).catch(() => undefined);
        running = null;
      }
      woken = false;
    },
    wake() {
      woken = true;
      running?.abort();
    },
  };
}
