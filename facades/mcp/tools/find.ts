import { call } from '../../../src/engine/operation/call.ts';
import { limits } from '../../../src/limits.ts';
import { inputSchema } from '../input-schema.ts';
import { defineTool, toToolResult } from '../tool.ts';
import { outputSchema, READING_TOOL } from './kit.ts';
import { MODEL_SCHEMA, NAMED_SCHEMA } from './schemas.ts';

const DEFAULT_FOUND_ROWS = 20;

export const findTool = defineTool({
  name: 'find',
  title: 'Find records by name',
  description: 'Returns the ids and names of records whose name contains a string.',
  inputSchema: inputSchema(
    {
      model: MODEL_SCHEMA,
      name: { type: 'string', description: 'Part of the name.' },
      limit: {
        type: 'integer',
        minimum: 1,
        default: DEFAULT_FOUND_ROWS,
        description: `Up to ${limits.mcp.rows}.`,
      },
    },
    ['model', 'name'],
  ),
  ...READING_TOOL,
  outputSchema: outputSchema({ results: NAMED_SCHEMA }, ['results']),
  group: 'data',
  method: 'name_search',
  async run({ ctx, args: { limit: requestedLimit, ...rest } }) {
    const limit = Math.min(requestedLimit, limits.mcp.rows);
    const matches = await call(ctx, 'recordNameSearch', { ...rest, limit: limit + 1 });
    const results = matches.slice(0, limit).map(([id, name]) => ({ id, name }));
    return toToolResult({ results, ...(matches.length > limit && { has_more: true }) }, results.length);
  },
});
