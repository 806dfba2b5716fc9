import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLoaded } from '../../../src/engine/ctx/loader.ts';
import { isListField } from '../../../src/engine/model/field.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { errors } from '../../../src/errors.ts';
import { getConditionMap } from '../plan/field-map.ts';
import { findTextSearch, type TextSearch } from '../plan/text-search.ts';

// Text search in `where`: each `matches` is searched first, and then replaced with the ids found.

/** Maximum number of text searches per request. */
export const MAX_TEXT_SEARCHES = 10;

export class MatchedIds {
  readonly ids: number[];
  constructor(ids: number[]) {
    this.ids = ids;
  }
}

export function hasTextSearch(where: unknown): boolean {
  if (Array.isArray(where)) return where.some(hasTextSearch);
  if (where === null || typeof where !== 'object') return false;
  return 'matches' in where || Object.values(where).some(hasTextSearch);
}

/**
 * Replaces each `matches` in the conditions with the ids found.
 * @throws BAD_REQUEST if there are too many, and the errors of `TextSearch`
 */
export async function resolveTextSearches(ctx: Ctx, model: Model, where: unknown): Promise<unknown> {
  if (!hasTextSearch(where)) return where;
  const conditions = where as Record<string, unknown>;
  const search = findTextSearch(model.name);
  const resolvedWhere: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(conditions))
    resolvedWhere[name] =
      search && name === 'matches'
        ? await searchText(ctx, model, search, conditions)
        : await resolveCondition(ctx, model, name, value);
  return resolvedWhere;
}

async function resolveCondition(ctx: Ctx, model: Model, name: string, value: unknown): Promise<unknown> {
  if (!hasTextSearch(value)) return value;
  if (name === 'and' || name === 'or') return resolveConditions(ctx, model, value as unknown[]);
  if (name === 'not') return resolveTextSearches(ctx, model, value);
  const condition = getConditionMap(ctx.catalog.registry, model).get(name);
  if (!condition?.isRelation) return value;
  const target = ctx.catalog.registry.get(condition.field.relation!)!;
  if (!isListField(condition.field)) return resolveTextSearches(ctx, target, value);
  const lists: Record<string, unknown> = {};
  for (const [choice, item] of Object.entries(value as object))
    lists[choice] = await resolveTextSearches(ctx, target, item);
  return lists;
}

async function resolveConditions(ctx: Ctx, model: Model, wheres: unknown[]): Promise<unknown[]> {
  const resolvedItems: unknown[] = [];
  for (const where of wheres) resolvedItems.push(await resolveTextSearches(ctx, model, where));
  return resolvedItems;
}

/** Searches for each text only once per request. */
function searchText(
  ctx: Ctx,
  model: Model,
  search: TextSearch,
  { matches, ...others }: Record<string, unknown>,
): Promise<MatchedIds> {
  if (typeof matches !== 'string') throw errors.badRequest('`matches` cannot be null. Omit it instead.');
  const pendingSearches = getLoaded(ctx, 'texts searched for', () => new Map<string, Promise<MatchedIds>>());
  const key = JSON.stringify([model.name, matches, others]);
  const before = pendingSearches.get(key);
  if (before) return before;
  if (pendingSearches.size >= MAX_TEXT_SEARCHES)
    throw errors.badRequest(`A request may contain at most ${MAX_TEXT_SEARCHES} text searches.`);
  const matchedIds = search.find(ctx, matches, others).then((ids) => new MatchedIds(ids));
  pendingSearches.set(key, matchedIds);
  return matchedIds;
}
