import type { RawJson } from '../../../src/engine/value/raw-json.ts';
import { callNamed } from '../../../src/engine/verb/call.ts';
import { limits } from '../../../src/limits.ts';
import { defineTool, READS } from '../tool.ts';
import { recordsOf } from './records.ts';
import { DOMAIN_SCHEMA, FIELDS_SCHEMA, MODEL_SCHEMA, RECORDS_SCHEMA } from './schemas.ts';

interface Args {
  model: string;
  domain?: unknown[];
  fields?: string[];
  limit: number;
  offset: number;
  order?: string;
}

export const searchTool = defineTool<Args>({
  name: 'search',
  title: 'Search records',
  description:
    `Returns the records of a model that match a domain, at most ${limits.mcp.rows}. ` +
    'Name the fields you need.',
  inputSchema: {
    type: 'object',
    properties: {
      model: MODEL_SCHEMA,
      domain: DOMAIN_SCHEMA,
      fields: FIELDS_SCHEMA,
      limit: {
        type: 'integer',
        minimum: 1,
        default: limits.mcp.rowsDefault,
        description: `Up to ${limits.mcp.rows}.`,
      },
      offset: { type: 'integer', minimum: 0, default: 0 },
      order: { type: 'string', description: 'Sort order, such as "name asc, id desc".' },
    },
    required: ['model'],
    additionalProperties: false,
  },
  outputSchema: RECORDS_SCHEMA,
  annotations: READS,
  scope: 'read',
  effects: ['reads'],
  group: 'data',
  method: 'search_read',
  run: async ({ ctx, args: { limit, ...rest } }) =>
    // Only a door that asks for a stream gets one.
    recordsOf(
      (await callNamed(ctx, 'recordSearchRead', {
        ...rest,
        limit: Math.min(limit, limits.mcp.rows),
      })) as RawJson,
    ),
});
