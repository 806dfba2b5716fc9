import { call, callByName } from '../../../src/engine/operation/call.ts';
import type { RawJson } from '../../../src/engine/value/raw-json.ts';
import { limits } from '../../../src/limits.ts';
import { inputSchema } from '../input-schema.ts';
import { defineTool } from '../tool.ts';
import { READING_TOOL } from './kit.ts';
import { describeRest, toRecordsResult } from './records.ts';
import {
  DOMAIN_SCHEMA,
  FIELDS_SCHEMA,
  MODEL_SCHEMA,
  OFFSET_SCHEMA,
  PAGED_SCHEMA,
  RECORDS_SCHEMA,
} from './schemas.ts';
import { selectFieldsToRead } from './short-fields.ts';

const DEFAULT_SEARCH_ROWS = 50;

export const searchTool = defineTool({
  name: 'search',
  title: 'Search records',
  description: `Returns up to ${limits.mcp.rows} records of a model that match a domain. Specify the fields you need.`,
  inputSchema: inputSchema(
    {
      model: MODEL_SCHEMA,
      domain: DOMAIN_SCHEMA,
      fields: FIELDS_SCHEMA,
      limit: {
        type: 'integer',
        minimum: 1,
        default: DEFAULT_SEARCH_ROWS,
        description: `Up to ${limits.mcp.rows}.`,
      },
      offset: OFFSET_SCHEMA,
      order: { type: 'string', description: 'Such as "name asc, id desc".' },
    },
    ['model'],
  ),
  ...READING_TOOL,
  outputSchema: { ...RECORDS_SCHEMA, properties: { ...RECORDS_SCHEMA.properties, ...PAGED_SCHEMA } },
  group: 'data',
  method: 'search_read',
  run: async ({ ctx, args: { limit: requestedLimit, fields, ...given } }) => {
    const rest = { ...given, ...selectFieldsToRead(ctx, given.model, fields) };
    const limit = Math.min(requestedLimit, limits.mcp.rows);
    // The rows are not streamed, because this `ctx` does not request it.
    const rows = (await callByName(ctx, 'recordSearchRead', { ...rest, limit })) as RawJson;
    const { model, domain = [] } = given;
    const countRows = (limit: number) => call(ctx, 'recordSearchCount', { model, domain, limit });
    const extra = rows.count < limit ? {} : await describeRest(rest.offset + rows.count, countRows);
    return toRecordsResult(ctx, model, rows, extra);
  },
});
