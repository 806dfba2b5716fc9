import { setTimeout } from 'node:timers/promises';

/** Time source. Tests replace it, so that they do not wait for real time. */
export interface Clock {
  /** Returns monotonic milliseconds. */
  now(): number;
  /** @throws the abort error if the signal is aborted */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};
