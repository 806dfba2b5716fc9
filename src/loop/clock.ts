import { setTimeout } from 'node:timers/promises';

/** Clock of a worker. Tests use their own and need not wait for real seconds. */
export interface Clock {
  /** Returns monotonic milliseconds. */
  now(): number;
  /** @throws if the signal is aborted */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
};
