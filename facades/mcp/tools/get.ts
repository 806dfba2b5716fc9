import { getMaximumId } from '../../../src/engine/model/model.ts';
import { call } from '../../../src/engine/operation/call.ts';
import { limits } from '../../../src/limits.ts';
import { inputSchema } from '../input-schema.ts';
import { defineTool } from '../tool.ts';
import { READING_TOOL } from './kit.ts';
import { toRecordsResult } from './records.ts';
import { FIELDS_SCHEMA, MODEL_SCHEMA, RECORDS_SCHEMA } from './schemas.ts';
import { selectFieldsToRead } from './short-fields.ts';

export const getTool = defineTool({
  name: 'get',
  title: 'Get records by id',
  description: `Returns up to ${limits.mcp.rows} records by id, in the given order. missing_ids lists the other ids.`,
  inputSchema: inputSchema(
    {
      model: MODEL_SCHEMA,
      ids: { type: 'array', items: { type: 'integer' } },
      fields: FIELDS_SCHEMA,
    },
    ['model', 'ids'],
  ),
  ...READING_TOOL,
  outputSchema: RECORDS_SCHEMA,
  group: 'data',
  method: 'read',
  async run({ ctx, args: { model, ids, fields } }) {
    const page = ids.slice(0, limits.mcp.rows);
    const max = getMaximumId(ctx.catalog.registry.get(model));
    const possibleIds = page.filter((id) => Math.abs(id) <= max);
    const columns = selectFieldsToRead(ctx, model, fields);
    const rows = await call(ctx, 'recordRead', { model, ids: possibleIds, ...columns });
    const foundIds = new Set(rows.value<{ id: number }[]>().map(({ id }) => id));
    const missingIds = [...new Set(page)].filter((id) => !foundIds.has(id));
    const result = toRecordsResult(ctx, model, rows, {
      ...(missingIds.length > 0 && { missing_ids: missingIds }),
      ...(page.length < ids.length && { total: ids.length, has_more: true, next_offset: page.length }),
    });
    return { ...result, requestedIds: ids };
  },
});
