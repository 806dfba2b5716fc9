import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { errors } from '../../../src/errors.ts';

/**
 * Returns a model that has messages.
 * @throws NOT_FOUND_METHOD for any other model, as for an unknown method
 */
export const getThreadModel = (ctx: Ctx, name: string, method: string): Model =>
  getModelWith(ctx, name, method, 'mail.thread');

/**
 * Returns a model that has activities.
 * @throws NOT_FOUND_METHOD for any other model
 */
export const getActivityModel = (ctx: Ctx, name: string, method: string): Model =>
  getModelWith(ctx, name, method, 'mail.activity');

function getModelWith(ctx: Ctx, name: string, method: string, mixin: 'mail.thread' | 'mail.activity'): Model {
  const model = getModel(ctx, name);
  if (!model.options.mixins?.includes(mixin)) throw errors.unknownMethod(name, method);
  return model;
}
