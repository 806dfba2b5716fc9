import { limits } from '../limits.ts';

// Long loops of one request. Once they have had some milliseconds of a turn of the event loop, the rest waits until
// others have had theirs: of the loops that wait, one goes on in each turn.

/** When this turn's loops began; 0 where it has had none. */
let sliceStart = 0;
/** Loops that wait, in the order in which they go on. */
const waitingLoops: (() => void)[] = [];

/** Items between two looks at the clock. */
const ITEMS_PER_CHECK = 64;

/** null while the turn has time left; else settles when it is the caller's turn again. */
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

/** As `list.forEach`, which others do not have to wait for. A list that `work` changes meanwhile is not meant. */
export async function forEachYielding<T>(
  list: readonly T[],
  work: (item: T, index: number) => void,
): Promise<void> {
  for (let at = 0; at < list.length; at++) {
    if (at % ITEMS_PER_CHECK === ITEMS_PER_CHECK - 1) {
      const pause = yieldToOthers();
      if (pause) await pause;
    }
    work(list[at]!, at);
  }
}

/** As `list.map`, which others do not have to wait for. */
export async function mapYielding<T, R>(
  list: readonly T[],
  work: (item: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = [];
  await forEachYielding(list, (item, index) => results.push(work(item, index)));
  return results;
}
