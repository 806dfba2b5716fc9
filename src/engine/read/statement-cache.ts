import { createCache, memoizePerObject } from '../../cache.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Principal } from '../model/principal.ts';
import type { ReadQuery } from './query.ts';
import type { RecordReader } from './record-reader.ts';

const MAX_CACHED_STATEMENT_FIELDS = 60;

export interface CachedStatement {
  read: RecordReader;
  /** True if the JSON is sent unchanged. */
  asIs: boolean;
}

/** Returns the caller's cache. A change of rights creates a new Principal, and therefore an empty cache. */
const getStatementCache = memoizePerObject((_principal: Principal) =>
  createCache<string, CachedStatement | null>({ entries: limits.record.keptStatements }),
);

/**
 * Returns the statement for one record, cached by caller, model and field selection, because callers repeat the same
 * requests. Null if the statement cannot be cached, or if `make` returns null.
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

/** Builds the cache key. Null if the statement depends on more than the caller, the model and the field names. */
function buildCacheKey(ctx: Ctx, { model, fields, flavour }: ReadQuery): string | null {
  const { context } = ctx;
  if (
    !ctx.principal ||
    ctx.sudo ||
    ctx.mask ||
    context.lang ||
    context.tz ||
    context.displayNameKeys ||
    context.sizes.size > 0
  )
    return null;
  if (!fields?.length || fields.length > MAX_CACHED_STATEMENT_FIELDS) return null;
  if (!fields.every((field) => typeof field === 'string')) return null;
  // The count makes the key unambiguous, because no other list of names yields the same text.
  return `${model} ${flavour} ${context.activeTest} ${fields.length} ${fields.join(' ')}`;
}
