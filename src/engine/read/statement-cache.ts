import { createCache, memoizePerObject } from '../../cache.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Principal } from '../model/principal.ts';
import type { ReadQuery } from './query.ts';
import type { RecordReader } from './record-reader.ts';

/** What reads one record. */
export interface CachedStatement {
  read: RecordReader;
  /** Its JSON goes out as it is. */
  asIs: boolean;
}

/** By caller: a change of rights yields a new Principal, which invalidates this cache. */
const getStatementCache = memoizePerObject((_principal: Principal) =>
  createCache<string, CachedStatement | null>({ entries: limits.record.keptStatements }),
);

/**
 * The statement for one record, made once for a caller, a model and a choice of fields: callers ask for the same again
 * and again. null where it is not the same each time, or where `make` says so.
 */
export function getCachedStatement(
  ctx: Ctx,
  query: ReadQuery,
  make: () => CachedStatement | null,
): CachedStatement | null {
  const key = buildCacheKey(ctx, query);
  if (key === null) return null;
  return getStatementCache(ctx.principal!).getOrCreate(key, make);
}

/** null for what follows from more than the caller, the model and the names of fields. */
function buildCacheKey(ctx: Ctx, { model, fields, flavour }: ReadQuery): string | null {
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
