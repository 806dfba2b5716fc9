/** Returns this thread's CPU time in milliseconds, which does not depend on the machine's load. */
export function getCpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** Maximum CPU milliseconds for which one request may block the event loop. */
export const MAX_BLOCK_MS = 100;

/**
 * Measures up to three runs, because the first run also compiles code, and garbage collection distorts some runs.
 * @returns the longest block of the event loop of the best run, in CPU milliseconds of a fast machine
 */
export async function measureBestRun(run: () => unknown, maxMs = MAX_BLOCK_MS): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let runs = 0; runs < 3 && best >= maxMs; runs++) best = Math.min(best, await measureLongestBlock(run));
  return best < maxMs ? best : best / measureSlowness();
}

/** @returns the longest block of the event loop in CPU milliseconds */
async function measureLongestBlock(run: () => unknown): Promise<number> {
  let longest = 0;
  let last = getCpuTime();
  const measure = () => {
    const now = getCpuTime();
    longest = Math.max(longest, now - last);
    last = now;
  };
  let next = setImmediate(function measureTurn() {
    measure();
    next = setImmediate(measureTurn);
  });
  try {
    await run();
    measure();
    return longest;
  } finally {
    clearImmediate(next);
  }
}

const REFERENCE_TEXT = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => `value ${index}`));
const REFERENCE_RUNS = 8;
/** CPU milliseconds that the reference runs take on a fast machine. */
const REFERENCE_MS = 30;

/** Returns how many times as long as a fast machine this one currently takes for the same work. */
export function measureSlowness(): number {
  const start = getCpuTime();
  for (let run = 0; run < REFERENCE_RUNS; run++) JSON.parse(REFERENCE_TEXT);
  return Math.max(1, (getCpuTime() - start) / REFERENCE_MS);
}
