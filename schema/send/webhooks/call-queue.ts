import type { DueCall } from './claim.ts';

/** Calls of a webhook that a process has begun to hold: those about one thing one after another, in order. */
export interface CallQueue {
  /** Calls that wait or run. */
  size(): number;
  add(calls: readonly DueCall[]): void;
  /** The next one that may be made; null when each waits for another. */
  next(): DueCall | null;
  /** A call has ended for good and that is written: the next one about the same thing may be made. */
  ended(call: DueCall): void;
  /** Takes out a call that is made again later, with those behind it, which it gives. */
  putOff(call: DueCall): DueCall[];
  /** Takes out all that have not been made. */
  clear(): DueCall[];
}

/** A line that is empty. Nothing in it is asynchronous. */
export function createCallQueue(): CallQueue {
  /** Of each thing its calls; the first is made now, or next. */
  const things = new Map<string, DueCall[]>();
  /** Things of which no call is made. */
  const free = new Set<string>();
  let size = 0;

  function add(call: DueCall): void {
    const calls = things.get(call.about);
    size++;
    if (calls) return void calls.push(call);
    things.set(call.about, [call]);
    free.add(call.about);
  }

  function remove(about: string): DueCall[] {
    const calls = things.get(about) ?? [];
    things.delete(about);
    free.delete(about);
    size -= calls.length;
    return calls;
  }

  return {
    size: () => size,
    add: (calls) => calls.forEach(add),
    next() {
      const [about] = free;
      if (about === undefined) return null;
      free.delete(about);
      return things.get(about)![0]!;
    },
    ended(call) {
      const rest = remove(call.about).slice(1);
      for (const each of rest) add(each);
    },
    putOff: (call) => remove(call.about).slice(1),
    clear() {
      const waiting = [...free].flatMap(remove);
      const behind = [...things.values()].flatMap((calls) => calls.splice(1));
      size -= behind.length;
      return [...waiting, ...behind];
    },
  };
}
