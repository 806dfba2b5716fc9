import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Model } from '../model/model.ts';
import type { Principal } from '../model/principal.ts';
import type { Flavour } from '../sql/projection.ts';
import { createCache, perOwner } from '../value/cache.ts';
import type { Along } from './select-list.ts';

/** A statement, `measured`, that is the same but for one parameter, its last: the id. */
export interface Kept {
  text: string;
  params: unknown[];
  /** Its JSON goes out as it is. */
  asIs: boolean;
}

/** By caller, whose rights are part of a statement: with a change of them he is recognised anew, and these are gone. */
const kept = perOwner((_principal: Principal) =>
  createCache<string, Kept | null>({ entries: limits.keptStatements }),
);

/**
 * The statement for one record of `model`, made once for a caller and a choice of fields: callers ask for the same
 * again and again. null where it is not the same each time, or where `make` says so.
 */
export function keptStatement(
  ctx: Ctx,
  model: Model,
  fields: (string | Along)[] | null,
  flavour: Flavour,
  make: () => Kept | null,
): Kept | null {
  const key = keyOf(ctx, model, fields, flavour);
  if (key === null) return null;
  return kept(ctx.principal!).remember(key, make);
}

/** null for what follows from more than the caller, the model and the names of fields. */
function keyOf(ctx: Ctx, model: Model, fields: (string | Along)[] | null, flavour: Flavour): string | null {
  const { context } = ctx;
  if (!ctx.principal || ctx.sudo || ctx.mask || context.lang || context.tz || context.sizes.size > 0)
    return null;
  if (!fields?.length || fields.length > limits.keptFields) return null;
  if (!fields.every((field) => typeof field === 'string')) return null;
  return `${model.name} ${flavour} ${context.activeTest} ${fields.join(' ')}`;
}
