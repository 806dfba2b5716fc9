import type { Ctx } from '../../../src/engine/ctx.ts';
import type { Mixin } from '../../../src/engine/mixins.ts';
import type { Model } from '../../../src/engine/model.ts';
import { checkRows } from '../../../src/engine/reach.ts';
import { modelOf } from '../../../src/engine/reader.ts';
import { errors } from '../../../src/errors.ts';

/** The model, when it has messages. @throws NOT_FOUND_METHOD as for any method it does not have */
export const threadOf = (ctx: Ctx, name: string, method: string): Model =>
  able(ctx, name, method, 'mail.thread');

/** The model, when it has activities. @throws as threadOf */
export const activeOf = (ctx: Ctx, name: string, method: string): Model =>
  able(ctx, name, method, 'mail.activity');

function able(ctx: Ctx, name: string, method: string, mixin: Mixin): Model {
  const model = modelOf(ctx, name);
  if (!model.options.mixins?.includes(mixin)) throw errors.unknownMethod(name, method);
  return model;
}

/** @throws MISSING when one of `ids` is not there, ACCESS_ERROR when one is out of reach */
export async function reached(
  ctx: Ctx,
  model: Model,
  ids: number[],
  operation: 'read' | 'write',
): Promise<void> {
  const there = await checkRows(ctx, model, ids, operation);
  const absent = ids.filter((id) => !there.includes(id));
  if (absent.length) throw errors.missing(model.name, absent);
}
