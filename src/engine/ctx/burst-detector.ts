import { limits } from '../../limits.ts';

/** Detects bursts, during which callers stop waiting for individual writes. */
export interface BurstDetector {
  /**
   * Counts one event.
   * @returns true during a burst
   */
  record(): boolean;
}

/**
 * A burst begins with the `limits.agent.burstCalls`th event within `limits.agent.burstSpan`, and ends after a span with
 * fewer events.
 */
export function createBurstDetector(now: () => number = () => performance.now()): BurstDetector {
  const { burstCalls: burstLimit, burstSpan: span } = limits.agent;
  let startTime = now();
  let count = 0;
  let before = 0;
  return {
    record() {
      const time = now();
      if (time - startTime >= span) {
        before = time - startTime < 2 * span ? count : 0;
        startTime = time;
        count = 0;
      }
      count++;
      return count >= burstLimit || before >= burstLimit;
    },
  };
}
