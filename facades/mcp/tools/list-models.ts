import { call } from '../../../src/engine/operation/call.ts';
import { limits } from '../../../src/limits.ts';
import { inputSchema } from '../input-schema.ts';
import { defineTool, toToolResult } from '../tool.ts';
import { outputSchema, READING_TOOL } from './kit.ts';

export const listModelsTool = defineTool({
  name: 'list_models',
  title: 'List models',
  description: 'Lists the models that the user may read, with their technical names.',
  inputSchema: inputSchema({
    filter: { type: 'string', description: 'Part of the technical name or label.' },
    limit: {
      type: 'integer',
      minimum: 1,
      default: limits.mcp.models,
    },
  }),
  ...READING_TOOL,
  outputSchema: outputSchema(
    {
      models: { type: 'array', items: { type: 'object' } },
    },
    ['models'],
  ),
  group: 'schema',
  method: null,
  isOurs: true,
  run: async ({ ctx, args: { limit, ...rest } }) => {
    const modelRows = await call(ctx, 'models', { ...rest, limit: limit + 1 });
    const models = modelRows.slice(0, limit).map(({ model, name }) => ({ model, name }));
    return toToolResult({ models, ...(modelRows.length > limit && { has_more: true }) }, models.length);
  },
});
