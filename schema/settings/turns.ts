import type { Ctx } from '../../src/engine/ctx/ctx.ts';

// One request may have many lists of the settings. None of what they search has connections of its own, so that the
// others who share the pool do not wait for them.

const last = new WeakMap<Ctx, Promise<unknown>>();

/** Runs `fn` when what the request asked for before has ended. `fn` itself may not wait for a turn. */
export function oneByOne<T>(ctx: Ctx, fn: () => Promise<T>): Promise<T> {
  const running = (last.get(ctx) ?? Promise.resolve()).then(fn);
  last.set(
    ctx,
    running.catch(() => undefined),
  );
  return running;
}

const found = new WeakMap<Ctx, Map<string, Promise<unknown>>>();

/** What `fn` gives, once in a request for the same key. */
export function shared<T>(ctx: Ctx, key: string, fn: () => Promise<T>): Promise<T> {
  const all = found.get(ctx) ?? new Map<string, Promise<unknown>>();
  found.set(ctx, all);
  let one = all.get(key) as Promise<T> | undefined;
  if (!one) {
    one = fn();
    all.set(key, one);
  }
  return one;
}

/** What was found is out of date once the request has changed something. */
export const forgetShared = (ctx: Ctx): boolean => found.delete(ctx);
