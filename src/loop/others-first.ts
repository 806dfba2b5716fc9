import { limits } from '../limits.ts';

// Long loops of one request. Once they have had some milliseconds of a turn of the event loop, the rest waits until
// others have had theirs: of the loops that wait, one goes on in each turn.

/** When this turn's loops began; 0 where it has had none. */
let began = 0;
/** Loops that wait, in the order in which they go on. */
const waiting: (() => void)[] = [];

/** Items between two looks at the clock. */
const STRIDE = 64;

/** null while the turn has time left; else settles when it is the caller's turn again. */
export function othersFirst(): Promise<void> | null {
  const now = performance.now();
  if (began === 0) {
    began = now;
    setImmediate(next);
    return null;
  }
  return now - began < limits.call.slice ? null : new Promise((resolve) => waiting.push(resolve));
}

function next(): void {
  const goOn = waiting.shift();
  began = goOn ? performance.now() : 0;
  if (!goOn) return;
  goOn();
  setImmediate(next);
}

/** As `list.forEach`, which others do not have to wait for. A list that `work` changes meanwhile is not meant. */
export async function eachInTurns<T>(
  list: readonly T[],
  work: (item: T, index: number) => void,
): Promise<void> {
  for (let at = 0; at < list.length; at++) {
    if (at % STRIDE === STRIDE - 1) {
      const pause = othersFirst();
      if (pause) await pause;
    }
    work(list[at]!, at);
  }
}

/** As `list.map`, which others do not have to wait for. */
export async function mapInTurns<T, R>(
  list: readonly T[],
  work: (item: T, index: number) => R,
): Promise<R[]> {
  const results: R[] = [];
  await eachInTurns(list, (item, index) => results.push(work(item, index)));
  return results;
}
