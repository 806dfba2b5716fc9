import { limits } from '../limits.ts';

// Yields to the event loop in long loops. After loops have run for some milliseconds in one event loop iteration,
// further loops wait, so that other requests can run. One waiting loop resumes per iteration.

/** Time at which this iteration's first loop started. 0 if there was none. */
let sliceStart = 0;
/** Waiting loops, in the order they resume. */
const waitingLoops: (() => void)[] = [];

const ITEMS_PER_CHECK = 64;

/** Returns null if the iteration has time left, otherwise a promise that resolves when the caller may continue. */
export function yieldToOthers(): Promise<void> | null {
  const now = performance.now();
  if (sliceStart === 0) {
    sliceStart = now;
    setImmediate(resumeNext);
    return null;
  }
  return now - sliceStart < limits.call.slice ? null : new Promise((resolve) => waitingLoops.push(resolve));
}

function resumeNext(): void {
  const goOn = waitingLoops.shift();
  sliceStart = goOn ? performance.now() : 0;
  if (!goOn) return;
  goOn();
  setImmediate(resumeNext);
}

/** Runs `work` as soon as an event loop iteration has time left. */
export async function runAfterYield<T>(work: () => T): Promise<T> {
  const pause = yieldToOthers();
  if (pause) await pause;
  return work();
}

/** Like `list.forEach`, but yields to the event loop. `run` must not modify the list. */
export async function forEachYielding<T>(
  list: readonly T[],
  run: (item: T, index: number) => void,
): Promise<void> {
  for (let index = 0; index < list.length; index++) {
    if (index % ITEMS_PER_CHECK === ITEMS_PER_CHECK - 1) {
      const pause = yieldToOthers();
      if (pause) await pause;
    }
    run(list[index]!, index);
  }
}

export async function mapYielding<T, R>(
  list: readonly T[],
  run: (item: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = [];
  await forEachYielding(list, (item, index) => results.push(run(item, index)));
  return results;
}
