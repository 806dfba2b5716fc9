import type { DueCall } from './claim.ts';

/** Started calls of a webhook. Calls about the same email or record run one after another, in order. */
export interface CallQueue {
  size(): number;
  add(calls: readonly DueCall[]): void;
  /** Returns a call that can be made now; null if each waits for another. */
  next(): DueCall | null;
  /** Removes a call whose final outcome is recorded, so that the next call about the same subject can be made. */
  ended(call: DueCall): void;
  /**
   * Removes a call that will be retried later.
   * @returns the calls behind it, which are removed too
   */
  putOff(call: DueCall): DueCall[];
  /** Removes and returns all calls that have not been made. */
  clear(): DueCall[];
}

export function createCallQueue(): CallQueue {
  /** Calls by subject. The first call of a subject is running or runs next. */
  const things = new Map<string, DueCall[]>();
  /** Subjects without a running call. */
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
      for (const item of rest) add(item);
    },
    putOff: (call) => remove(call.about).slice(1),
    clear() {
      const waitingCalls = [...free].flatMap(remove);
      const laterCalls = [...things.values()].flatMap((calls) => calls.splice(1));
      size -= laterCalls.length;
      return [...waitingCalls, ...laterCalls];
    },
  };
}
