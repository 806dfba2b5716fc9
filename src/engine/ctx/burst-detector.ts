import { limits } from '../../limits.ts';

/** Whether there is so much to do that its parts are not waited for one by one. */
export interface BurstDetector {
  /** Notes one more. @returns whether there are many */
  record(): boolean;
}

/** A rush begins with the `limits.agent.rush`th within `limits.agent.rushSpan`, and ends with a span of fewer. */
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
