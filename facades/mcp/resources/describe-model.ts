import { isRequiredArgument } from 'graphql';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { call, listOperationsOn } from '../../../src/engine/operation/call.ts';
import { takesIds } from '../../../src/engine/operation/operation.ts';
import { canCall } from '../../../src/engine/operation/policy.ts';
import { type ToolResult, toToolResult } from '../tool.ts';

interface ModelRequest {
  model: string;
  fields?: string[];
  methods: boolean;
  offset: number;
}

/** Describes a model. Skips its first `offset` fields. */
export async function describeModelForAgent(
  ctx: Ctx,
  { model, fields: names, methods, offset }: ModelRequest,
): Promise<ToolResult> {
  const info = await call(ctx, 'modelDescribe', { model });
  const fields = info.fields
    .filter(({ name }) => !names || names.includes(String(name)))
    .slice(offset)
    .map(omitNulls);
  const more = methods && { methods: listMethods(ctx, getModel(ctx, model)) };
  return toToolResult({ ...info, fields, ...more }, fields.length);
}

const omitNulls = (field: object): object =>
  Object.fromEntries(Object.entries(field).filter(([, value]) => value !== null));

/** Lists the callable methods with their effects and arguments. Optional arguments have a question mark. */
const listMethods = (ctx: Ctx, model: Model): object[] =>
  listOperationsOn(ctx, model)
    .filter(
      ({ definition }) =>
        canCall(ctx, definition.policy) &&
        !definition.closedToAgents &&
        !definition.effects.includes('secret'),
    )
    .map(({ definition: { method, effects, tool, kind }, parameters, args }) => ({
      name: method,
      ...(takesIds({ args }) && { ids: true }),
      args: parameters.map(({ name, arg }) => (isRequiredArgument(arg) ? name : `${name}?`)),
      effects,
      ...(tool && kind === 'mutation' && { use_tool: tool }),
    }));
