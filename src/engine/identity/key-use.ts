import type { Caller } from '../ctx/runtime.ts';
import { createCache } from '../value/cache.ts';

const MINUTE = 60_000;
const GATHER = 1_000;
const ENTRIES = 10_000;

/**
 * Notes that keys are used: once a minute for each, together for all, and no request waits for it. What cannot be
 * written is left out; the next minute records it again.
 */
export function createKeyUse(write: (callers: Caller[]) => Promise<void>): (caller: Caller) => void {
  const noted = createCache<number, true>({ age: MINUTE, entries: ENTRIES });
  let waiting: Caller[] = [];
  const writeAll = () => {
    const callers = waiting;
    waiting = [];
    write(callers).catch(() => undefined);
  };
  return (caller) => {
    const { keyId } = caller.principal;
    if (keyId === null || noted.get(keyId)) return;
    noted.set(keyId, true);
    if (waiting.push(caller) === 1) setTimeout(writeAll, GATHER).unref();
  };
}
