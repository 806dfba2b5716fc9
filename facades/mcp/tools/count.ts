import { call } from '../../../src/engine/operation/call.ts';
import { inputSchema } from '../input-schema.ts';
import { defineTool, toToolResult } from '../tool.ts';
import { outputSchema, READING_TOOL } from './kit.ts';
import { DOMAIN_SCHEMA, MODEL_SCHEMA } from './schemas.ts';

export const countTool = defineTool({
  name: 'count',
  title: 'Count records',
  description: 'Counts the records of a model, or only those that match a domain.',
  inputSchema: inputSchema({ model: MODEL_SCHEMA, domain: DOMAIN_SCHEMA }, ['model']),
  ...READING_TOOL,
  outputSchema: outputSchema({ count: { type: 'integer' } }, ['count']),
  group: 'data',
  method: 'search_count',
  run: async ({ ctx, args: { model, domain = [] } }) => {
    const count = await call(ctx, 'recordSearchCount', { model, domain });
    return toToolResult({ count }, count);
  },
});
