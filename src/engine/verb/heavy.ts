import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';

// Arguments with many conditions take the process milliseconds of its own to parse, in which it does nothing else. The
// calls of one workspace that have such arguments take turns, with a pause in between as long as each took, so that
// half of the time is everybody else's.

interface Waiter {
  ctx: Ctx;
  since: number;
  begin(): void;
  refuse(error: Error): void;
}

/** Who waits, by workspace; there is an entry while somebody has the turn. */
const lanes = new Map<number, Waiter[]>();

/** null where no argument is heavy; else settles when it is the call's turn. @throws BUSY, also later */
export function heavyTurn(ctx: Ctx, args: Record<string, unknown>): Promise<void> | null {
  if (!isHeavy(args)) return null;
  const { id } = ctx.workspace;
  const lane = lanes.get(id);
  if (lane && lane.length >= limits.call.heavyWaiting) throw tooMany();
  return new Promise((begin, refuse) => {
    const waiter = { ctx, since: performance.now(), begin, refuse };
    if (lane) lane.push(waiter);
    else {
      lanes.set(id, []);
      take(id, waiter);
    }
  });
}

/** Whether the process will be busy with an argument: a list of conditions, also within another value. */
function isHeavy(args: Record<string, unknown>): boolean {
  for (const name in args) {
    const value = args[name];
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    if (isLong(value) || (!Array.isArray(value) && Object.values(value).some(isLong))) return true;
  }
  return false;
}

/** Ids and values of records are long lists too, but are not parsed. */
const isLong = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > limits.call.heavyItems &&
  (typeof value[0] === 'string' || Array.isArray(value[0]));

function take(id: number, { ctx, since, begin, refuse }: Waiter): void {
  const now = performance.now();
  if (ctx.requestDb.isGone() || now - since > limits.sql.connectTime) {
    refuse(tooMany());
    next(id);
    return;
  }
  begin();
  // What follows the promise runs before this does.
  setImmediate(() => setTimeout(() => next(id), performance.now() - now));
}

function next(id: number): void {
  const waiter = lanes.get(id)!.shift();
  if (waiter) take(id, waiter);
  else lanes.delete(id);
}

const tooMany = () => errors.busy('Too many large requests of this workspace are waiting; try again.');
