import { setTimeout } from 'node:timers/promises';

/** The time a delivering worker goes by. A test has one of its own, so that it need not wait for real seconds. */
export interface Clock {
  /** Milliseconds; it never goes back. */
  now(): number;
  /** @throws when the signal is aborted */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};
