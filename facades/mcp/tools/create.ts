import { computeListEffects } from '../../../src/engine/access/list-effects.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { callMethod } from '../../../src/engine/operation/call.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { inputSchema } from '../input-schema.ts';
import { defineTool, toToolResult } from '../tool.ts';
import { outputSchema } from './kit.ts';
import { loadNamedRecords } from './named-records.ts';
import { MODEL_SCHEMA, VALUES_SCHEMA } from './schemas.ts';

export const createTool = defineTool({
  name: 'create',
  title: 'Create a record',
  description: 'Creates a record. Call describe_model first to learn which fields are required.',
  inputSchema: inputSchema({ model: MODEL_SCHEMA, values: VALUES_SCHEMA }, ['model', 'values']),
  outputSchema: outputSchema(
    {
      created_id: { type: 'integer' },
      display_name: { type: 'string' },
    },
    ['created_id'],
  ),
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  scope: 'write',
  group: 'data',
  method: 'create',
  effects: (ctx, { model, values }) => {
    const { createdCount, writtenCount, sends } = computeListEffects(ctx, model, values, true);
    return { effects: sends ? ['writes', 'sends'] : ['writes'], changes: 1 + createdCount + writtenCount };
  },
  standsFor: (ctx, { model, values }) =>
    computeListEffects(ctx, model, values, true).writtenCount > 0 ? ['update'] : [],
  async run({ ctx, args: { model, values } }) {
    const { deletes, writtenCount } = computeListEffects(ctx, model, values, true);
    if (deletes)
      throw errors.user('Creating a record cannot delete other records. Use the delete tool to delete them.');
    if (writtenCount > limits.mcp.unconfirmed)
      throw errors.user(
        `Creating a record can change at most ${limits.mcp.unconfirmed} other records. Use the update tool for ` +
          'the rest.',
      );
    const [id] = (await callMethod(ctx, model, 'create', { vals_list: [values] })) as [number];
    return toToolResult({ created_id: id, display_name: await findRecordName(ctx, model, id) }, 1);
  },
});

/** Returns an empty name if the creator lacks read access. */
async function findRecordName(ctx: Ctx, model: string, id: number): Promise<string> {
  try {
    return (await loadNamedRecords(ctx, model, [id]))[0]?.name ?? '';
  } catch (error) {
    if (error instanceof AppError && error.kind === 'ACCESS_ERROR') return '';
    throw error;
  }
}
