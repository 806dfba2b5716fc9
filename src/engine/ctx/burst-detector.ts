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
 * A burst begins with the `limits.agent.rush`th event within `limits.agent.rushSpan`, and ends after a span with fewer
 * events.
 */
export function createBurstDetector(now: () => number = () => performance.now()): BurstDetector {
  const { rush: many, rushSpan: span } = limits.agent;
  let begun = now();
  let count = 0;
  let before = 0;
  return {
    record() {
      const time = now();
      if (time - begun >= span) {
        before = time - begun < 2 * span ? count : 0;
        begun = time;
        count = 0;
      }
      count++;
      return count >= many || before >= many;
    },
  };
}
