import type { Caller } from '../ctx/runtime.ts';

const MINUTE = 60_000;
const GATHER = 1_000;
const MOST = 10_000;

/**
 * Notes that keys are used: once a minute for each, together for all, and no request waits for it. What cannot be
 * written is left out; the next minute tells again.
 */
export function createKeyUse(write: (callers: Caller[]) => Promise<void>): (caller: Caller) => void {
  const noted = new Map<number, number>();
  let waiting: Caller[] = [];
  const writeAll = () => {
    const callers = waiting;
    waiting = [];
    write(callers).catch(() => undefined);
  };
  return (caller) => {
    const { keyId } = caller.principal;
    const now = Date.now();
    if (keyId === null || now - (noted.get(keyId) ?? 0) < MINUTE) return;
    if (noted.size >= MOST) noted.clear();
    noted.set(keyId, now);
    if (waiting.push(caller) === 1) setTimeout(writeAll, GATHER).unref();
  };
}
