/** Number of calls within `BURST_SPAN_MS` after which read-only calls no longer wait for their log entry. */
export const BURST_CALLS = 50;
export const BURST_SPAN_MS = 100;

/** Detects bursts, during which callers do not wait for individual writes. */
export interface BurstDetector {
  record(): boolean;
}

/** A burst begins with the `BURST_CALLS`th event within `BURST_SPAN_MS`, and ends after a span with fewer events. */
export function createBurstDetector(now: () => number = () => performance.now()): BurstDetector {
  let startTime = now();
  let count = 0;
  let before = 0;
  return {
    record() {
      const time = now();
      if (time - startTime >= BURST_SPAN_MS) {
        before = time - startTime < 2 * BURST_SPAN_MS ? count : 0;
        startTime = time;
        count = 0;
      }
      count++;
      return count >= BURST_CALLS || before >= BURST_CALLS;
    },
  };
}
