import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { errors } from '../../../src/errors.ts';

/** @throws NOT_FOUND_METHOD if the model has no messages, as if the method did not exist */
export const getThreadModel = (ctx: Ctx, name: string, method: string): Model =>
  getModelWithMixin(ctx, name, method, 'mail.thread');

/** @throws NOT_FOUND_METHOD if the model has no activities */
export const getActivityModel = (ctx: Ctx, name: string, method: string): Model =>
  getModelWithMixin(ctx, name, method, 'mail.activity');

function getModelWithMixin(
  ctx: Ctx,
  name: string,
  method: string,
  mixin: 'mail.thread' | 'mail.activity',
): Model {
  const model = getModel(ctx, name);
  if (!model.options.mixins?.includes(mixin)) throw errors.unknownMethod(name, method);
  return model;
}
