import type { RawJson } from '../../../src/engine/read/records.ts';
import { limits } from '../../../src/limits.ts';
import { defineTool, READS } from '../tool.ts';
import { recordsOf } from './records.ts';
import { DOMAIN, FIELDS, MODEL, RECORDS } from './schemas.ts';

interface Args {
  model: string;
  domain?: unknown[];
  fields?: string[];
  limit: number;
  offset: number;
  order?: string;
}

export const search = defineTool<Args, RawJson>({
  name: 'search',
  title: 'Search records',
  description: `Records of a model that match a domain, at most ${limits.mcpRows}. Name the fields you need.`,
  inputSchema: {
    type: 'object',
    properties: {
      model: MODEL,
      domain: DOMAIN,
      fields: FIELDS,
      limit: {
        type: 'integer',
        minimum: 1,
        default: limits.mcpRowsDefault,
        description: `Most rows to return; more than ${limits.mcpRows} counts as ${limits.mcpRows}.`,
      },
      offset: { type: 'integer', minimum: 0, default: 0, description: 'Rows to pass over.' },
      order: { type: 'string', description: 'Such as "name asc, id desc".' },
    },
    required: ['model'],
    additionalProperties: false,
  },
  outputSchema: RECORDS,
  annotations: READS,
  scope: 'read',
  method: 'search_read',
  toVerb: ({ limit, ...rest }) => ({
    verb: 'recordSearchRead',
    variables: { ...rest, limit: Math.min(limit, limits.mcpRows) },
  }),
  shape: recordsOf,
});
