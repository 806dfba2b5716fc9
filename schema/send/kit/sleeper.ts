import { type Clock, realClock } from '../../../src/delivery/clock.ts';

/** Sleeps that others can end. */
export interface Sleeper {
  sleep(ms: number): Promise<void>;
  /** Ends the running sleep, or the next one before it begins. */
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

/**
 * The workspace a claim served last, of what it gave; as `before` when that is nothing: who begins with the first
 * workspace each time serves no other. Pure.
 */
export const lastServed = (before: number, claimed: { workspace_id: number }[]): number =>
  claimed.length > 0 ? Math.max(...claimed.map((each) => each.workspace_id)) : before;
