import type { Ctx } from '../../src/engine/ctx/ctx.ts';

// A request's settings queries run one after the other, so that a request with many lists does not exhaust the shared
// connection pool.

const last = new WeakMap<Ctx, Promise<unknown>>();

/** Runs `fn` after the request's previous query. `fn` must not wait for another queued query, which would deadlock. */
export function runInSequence<T>(ctx: Ctx, fn: () => Promise<T>): Promise<T> {
  const result = (last.get(ctx) ?? Promise.resolve()).then(fn);
  last.set(
    ctx,
    result.catch(() => undefined),
  );
  return result;
}
