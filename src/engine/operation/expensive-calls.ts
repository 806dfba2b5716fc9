import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';

// Parsing arguments with many conditions blocks the process for milliseconds. Calls of one workspace with such
// arguments run one at a time, with a pause as long as each call took, so that half of the time remains for others.

interface Waiter {
  ctx: Ctx;
  since: number;
  resolve(): void;
  reject(error: Error): void;
}

/** Waiting calls by workspace. The entry exists while a call is running. */
const waitersByWorkspace = new Map<number, Waiter[]>();

/** Null if no argument is expensive. Otherwise resolves when the call may run. @throws BUSY, possibly while waiting */
export function waitForExpensiveTurn(ctx: Ctx, args: Record<string, unknown>): Promise<void> | null {
  if (!isExpensive(args)) return null;
  const { id } = ctx.workspace;
  const lane = waitersByWorkspace.get(id);
  if (lane && lane.length >= limits.call.heavyWaiting) throw tooManyLargeRequests();
  return new Promise((resolve, reject) => {
    const waiter = { ctx, since: performance.now(), resolve, reject };
    if (lane) lane.push(waiter);
    else {
      waitersByWorkspace.set(id, []);
      runWaiter(id, waiter);
    }
  });
}

/** True if an argument is expensive to parse: a long list of conditions, which may be inside another value. */
function isExpensive(args: Record<string, unknown>): boolean {
  for (const name in args) {
    const value = args[name];
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    if (isLongDomain(value) || (!Array.isArray(value) && Object.values(value).some(isLongDomain)))
      return true;
  }
  return false;
}

/** Ids and record values are long lists too, but are not parsed. */
const isLongDomain = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > limits.call.heavyItems &&
  (typeof value[0] === 'string' || Array.isArray(value[0]));

function runWaiter(id: number, { ctx, since, resolve: begin, reject: refuse }: Waiter): void {
  const now = performance.now();
  if (ctx.requestDb.isClientGone() || now - since > limits.sql.connectTime) {
    refuse(tooManyLargeRequests());
    runNextWaiter(id);
    return;
  }
  begin();
  // Code that awaits the promise runs first.
  setImmediate(() => setTimeout(() => runNextWaiter(id), performance.now() - now));
}

function runNextWaiter(id: number): void {
  const waiter = waitersByWorkspace.get(id)!.shift();
  if (waiter) runWaiter(id, waiter);
  else waitersByWorkspace.delete(id);
}

const tooManyLargeRequests = () =>
  errors.busy('Too many large requests from this workspace are waiting; try again.');
