import type { Ctx } from '../../src/engine/ctx/ctx.ts';

// One request may have many lists of the settings. None of what they search has connections of its own, so that the
// others who share the pool do not wait for them.

const last = new WeakMap<Ctx, Promise<unknown>>();

/** Runs `fn` when what the request asked for before has ended. `fn` itself may not wait for a turn. */
export function runInSequence<T>(ctx: Ctx, fn: () => Promise<T>): Promise<T> {
  const running = (last.get(ctx) ?? Promise.resolve()).then(fn);
  last.set(
    ctx,
    running.catch(() => undefined),
  );
  return running;
}

/** What `fn` gives, once in a request for the same key, until the request changes something. */
export function runOncePerRequest<T>(ctx: Ctx, key: string, fn: () => Promise<T>): Promise<T> {
  let one = ctx.loaded.get(key) as Promise<T> | undefined;
  if (!one) {
    one = fn();
    ctx.loaded.set(key, one);
  }
  return one;
}
