import { createCache, perOwner } from '../../cache.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Principal } from '../model/principal.ts';
import type { OneReader } from './one-reader.ts';
import type { RecordQuery } from './query.ts';

/** What reads one record. */
export interface CachedStatement {
  read: OneReader;
  /** Its JSON goes out as it is. */
  asIs: boolean;
}

/** By caller: a change of rights yields a new Principal, which invalidates this cache. */
const caches = perOwner((_principal: Principal) =>
  createCache<string, CachedStatement | null>({ entries: limits.record.keptStatements }),
);

/**
 * The statement for one record, made once for a caller, a model and a choice of fields: callers ask for the same again
 * and again. null where it is not the same each time, or where `make` says so.
 */
export function cachedStatement(
  ctx: Ctx,
  query: RecordQuery,
  make: () => CachedStatement | null,
): CachedStatement | null {
  const key = keyOf(ctx, query);
  if (key === null) return null;
  return caches(ctx.principal!).remember(key, make);
}

/** null for what follows from more than the caller, the model and the names of fields. */
function keyOf(ctx: Ctx, { model, fields, flavour }: RecordQuery): string | null {
  const { context } = ctx;
  if (
    !ctx.principal ||
    ctx.sudo ||
    ctx.mask ||
    context.lang ||
    context.tz ||
    context.named ||
    context.sizes.size > 0
  )
    return null;
  if (!fields?.length || fields.length > limits.record.keptFields) return null;
  if (!fields.every((field) => typeof field === 'string')) return null;
  // With their number, no other list than this one of names has the same text.
  return `${model} ${flavour} ${context.activeTest} ${fields.length} ${fields.join(' ')}`;
}
