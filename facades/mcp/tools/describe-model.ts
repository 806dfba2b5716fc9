import { isRequiredArgument } from 'graphql';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { call, listOperationsOn } from '../../../src/engine/operation/call.ts';
import { takesIds } from '../../../src/engine/operation/operation.ts';
import { canCall } from '../../../src/engine/operation/policy.ts';
import { defineTool, READ_ANNOTATIONS, type ToolResult, toToolResult } from '../tool.ts';
import { MODEL_SCHEMA, OFFSET_SCHEMA } from './schemas.ts';

const flagSchemas = (...names: string[]) =>
  Object.fromEntries(names.map((name) => [name, { type: 'boolean' }]));

interface Args {
  model: string;
  fields?: string[];
  methods: boolean;
  offset: number;
}

export const describeModelTool = defineTool<Args>({
  name: 'describe_model',
  title: 'Describe a model',
  description:
    'Returns the fields of a model, the permissions of the user and, if methods is true, its methods for call.',
  inputSchema: {
    type: 'object',
    properties: {
      model: MODEL_SCHEMA,
      fields: { type: 'array', items: { type: 'string' }, description: 'Only these fields.' },
      methods: { type: 'boolean', default: false },
      offset: OFFSET_SCHEMA,
    },
    required: ['model'],
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    properties: {
      model: { type: 'string' },
      your_access: { type: 'object', properties: flagSchemas('read', 'create', 'write', 'unlink') },
      fields: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            string: { type: 'string' },
            type: { type: 'string' },
            ...flagSchemas('required', 'readonly'),
            relation: { type: 'string' },
            selection: { type: 'array', items: { type: 'array', items: { type: 'string' } } },
            help: { type: 'string' },
          },
          required: ['name', 'type'],
        },
      },
      methods: { type: 'array', items: { type: 'object' } },
      _count: { type: 'integer' },
    },
    required: ['model', 'your_access', 'fields', '_count'],
  },
  annotations: READ_ANNOTATIONS,
  scope: 'read',
  effects: ['reads'],
  group: 'schema',
  method: null,
  isOurs: true,
  run: ({ ctx, args }) => describeModel(ctx, args),
});

/** Describes a model from its `offset`th field on. */
export async function describeModel(
  ctx: Ctx,
  { model, fields: names, methods, offset }: Args,
): Promise<ToolResult> {
  const info = await call(ctx, 'modelDescribe', { model });
  const fields = info.fields
    .filter(({ name }) => !names || names.includes(String(name)))
    .slice(offset)
    .map(withoutNulls);
  const more = methods && { methods: listMethods(ctx, getModel(ctx, model)) };
  return toToolResult({ ...info, fields, ...more }, fields.length);
}

const withoutNulls = (field: object): object =>
  Object.fromEntries(Object.entries(field).filter(([, value]) => value !== null));

/** Lists the callable methods with their arguments (optional ones with a question mark) and effects. */
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
