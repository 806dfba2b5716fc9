import { limits } from '../limits.ts';

// Yields in long loops. After a loop has used some milliseconds of an iteration of the event loop, it waits for other
// requests. One waiting loop resumes per iteration.

/** Start time of this iteration's loops. 0 if there was none. */
let sliceStart = 0;
/** Waiting loops, in the order they resume. */
const waitingLoops: (() => void)[] = [];

/** Items between two checks of the clock. */
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

/** Runs `work` as soon as this iteration of the event loop has time left. */
export async function runAfterYield<T>(work: () => T): Promise<T> {
  const pause = yieldToOthers();
  if (pause) await pause;
  return work();
}

/** Like `list.forEach`, but yields to the event loop. `work` must not modify the list. */
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

/** Like `list.map`, but yields to the event loop. */
export async function mapYielding<T, R>(
  list: readonly T[],
  run: (item: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = [];
  await forEachYielding(list, (item, index) => results.push(run(item, index)));
  return results;
}
