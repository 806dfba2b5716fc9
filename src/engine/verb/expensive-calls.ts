import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';

// Arguments with many conditions take the process milliseconds of its own to parse, in which it does nothing else. The
// calls of one workspace that have such arguments take turns, with a pause in between as long as each took, so that
// half of the time is everybody else's.

interface Waiter {
  ctx: Ctx;
  since: number;
  resolve(): void;
  reject(error: Error): void;
}

/** Who waits, by workspace; there is an entry while somebody has the turn. */
const waitersByWorkspace = new Map<number, Waiter[]>();

/** null where no argument is heavy; else settles when it is the call's turn. @throws BUSY, also later */
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

/** Whether the process will be busy with an argument: a list of conditions, also within another value. */
function isExpensive(args: Record<string, unknown>): boolean {
  for (const name in args) {
    const value = args[name];
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    if (isLongDomain(value) || (!Array.isArray(value) && Object.values(value).some(isLongDomain)))
      return true;
  }
  return false;
}

/** Ids and values of records are long lists too, but are not parsed. */
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
  // What follows the promise runs before this does.
  setImmediate(() => setTimeout(() => runNextWaiter(id), performance.now() - now));
}

function runNextWaiter(id: number): void {
  const waiter = waitersByWorkspace.get(id)!.shift();
  if (waiter) runWaiter(id, waiter);
  else waitersByWorkspace.delete(id);
}

const tooManyLargeRequests = () =>
  errors.busy('Too many large requests of this workspace are waiting; try again.');
