/** Returns this thread's CPU time in milliseconds, which does not depend on the machine's load. */
export function getCpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/** @returns the value of `run`, and the longest block of the event loop in CPU milliseconds */
export async function measureLongestBlock<T>(run: () => Promise<T>): Promise<{ value: T; ms: number }> {
  let ms = 0;
  let last = getCpuTime();
  let next: NodeJS.Immediate;
  const look = () => {
    const now = getCpuTime();
    ms = Math.max(ms, now - last);
    last = now;
    next = setImmediate(look);
  };
  look();
  try {
    const value = await run();
    return { value, ms };
  } finally {
    clearImmediate(next!);
  }
}

/** Maximum CPU milliseconds for which one request may block the event loop. */
export const MAX_BLOCK_MS = 100;

/**
 * Measures up to three runs, because the first run also compiles code.
 * @returns the longest block of the event loop of the best run, in CPU milliseconds of a fast machine
 */
export async function measureBestRun(run: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let runs = 0; runs < 3 && best >= MAX_BLOCK_MS; runs++)
    best = Math.min(best, (await measureLongestBlock(run)).ms);
  return best < MAX_BLOCK_MS ? best : best / measureSlowness();
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
