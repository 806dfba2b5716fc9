import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';

// Parsing arguments with many conditions or values blocks the process for milliseconds, and the database evaluates them
// slowly. A workspace's calls with such arguments therefore start one at a time. After each start, the next call waits
// for as long as the start took, so that half of the time remains for others. The workspace's users take turns, and
// each can run only a few expensive calls at once.

const MAX_CHEAP_CONDITIONS = 100;
const MAX_CHEAP_VALUES = 1_000;
const MAX_EXPENSIVE_CALLS_PER_USER = 2;
/** Maximum number of waiting expensive calls per user and process. */
export const MAX_WAITING_EXPENSIVE_CALLS = 100;

interface Lane {
  workspace: number;
  /** Waiting calls by user, with the most recently served user last. */
  waiting: Map<number, (() => void)[]>;
  running: Map<number, number>;
  isPausing: boolean;
}

const lanes = new Map<number, Lane>();
/** Requests whose turn has come. Their nested calls do not wait. */
const servedSet = new WeakSet<object>();

/**
 * Runs `run`, after waiting for its turn if an argument is expensive.
 * @throws BUSY if the user has too many expensive calls
 */
export function runInTurn<T>(ctx: Ctx, args: Record<string, unknown>, run: () => Promise<T>): Promise<T> {
  return !isExpensive(args) || servedSet.has(ctx.requestDb) ? run() : runExpensive(ctx, run);
}

async function runExpensive<T>(ctx: Ctx, run: () => Promise<T>): Promise<T> {
  const user = ctx.principal?.userId ?? 0;
  const lane = getLane(ctx.workspace.id);
  await waitForTurn(lane, user);
  servedSet.add(ctx.requestDb);
  try {
    if (ctx.requestDb.isClientGone()) throw createTooManyLargeRequestsError();
    return await run();
  } finally {
    servedSet.delete(ctx.requestDb);
    count(lane, user, -1);
    startNext(lane);
  }
}

function getLane(id: number): Lane {
  const lane = lanes.get(id) ?? { workspace: id, waiting: new Map(), running: new Map(), isPausing: false };
  lanes.set(id, lane);
  return lane;
}

function waitForTurn(lane: Lane, user: number): Promise<void> {
  const waiters = lane.waiting.get(user) ?? [];
  if (waiters.length >= MAX_WAITING_EXPENSIVE_CALLS) throw createTooManyLargeRequestsError();
  return new Promise((resolve, reject) => {
    const start = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      waiters.splice(waiters.indexOf(start), 1);
      if (waiters.length === 0) lane.waiting.delete(user);
      reject(createTooManyLargeRequestsError());
    }, limits.sql.connectTime);
    waiters.push(start);
    lane.waiting.set(user, waiters);
    startNext(lane);
  });
}

/** Starts the next call of the first user below the limit. Removes the lane if it has no calls. */
function startNext(lane: Lane): void {
  if (lane.isPausing) return;
  for (const [user, waiters] of lane.waiting) {
    if ((lane.running.get(user) ?? 0) >= MAX_EXPENSIVE_CALLS_PER_USER) continue;
    const start = waiters.shift()!;
    lane.waiting.delete(user);
    if (waiters.length > 0) lane.waiting.set(user, waiters);
    count(lane, user, 1);
    lane.isPausing = true;
    const startedAt = performance.now();
    start();
    const resume = () => {
      lane.isPausing = false;
      startNext(lane);
    };
    // Lets the code that awaits the turn run first.
    setImmediate(() => setTimeout(resume, performance.now() - startedAt));
    return;
  }
  if (lane.waiting.size + lane.running.size === 0) lanes.delete(lane.workspace);
}

function count({ running }: Lane, user: number, delta: 1 | -1): void {
  const now = (running.get(user) ?? 0) + delta;
  if (now > 0) running.set(user, now);
  else running.delete(user);
}

function isExpensive(args: Record<string, unknown>): boolean {
  for (const name in args) {
    const value = args[name];
    if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) continue;
    const parts = Array.isArray(value) ? value.filter(Array.isArray) : Object.values(value);
    if (isLongDomain(value) || parts.some(isLongDomain)) return true;
    if (countItems(parts, MAX_CHEAP_VALUES) > MAX_CHEAP_VALUES) return true;
  }
  return false;
}

/** Excludes lists of ids and record values, which are not parsed. */
const isLongDomain = (value: unknown): boolean =>
  Array.isArray(value) &&
  value.length > MAX_CHEAP_CONDITIONS &&
  (typeof value[0] === 'string' || Array.isArray(value[0]));

/**
 * Counts the items in lists of plain values inside `parts`. Stops once the count exceeds `max`. Ignores levels below
 * the maximum depth of arguments.
 */
function countItems(parts: readonly unknown[], max: number, depth: number = limits.call.depth): number {
  if (depth === 0) return 0;
  let count = 0;
  for (const part of parts) {
    if (count > max) break;
    if (typeof part !== 'object' || part === null || ArrayBuffer.isView(part)) continue;
    if (Array.isArray(part) && typeof part[0] !== 'object') count += part.length;
    count += countItems(Array.isArray(part) ? part : Object.values(part), max - count, depth - 1);
  }
  return count;
}

const createTooManyLargeRequestsError = () =>
  errors.busy('Too many of your large requests are waiting. Try again.');
