import { assertModelAccess } from '../../../src/engine/access/access.ts';
import { assertAgentChange } from '../../../src/engine/access/agents.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { computeListEffects } from '../../../src/engine/access/list-effects.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { callMethod } from '../../../src/engine/operation/call.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { inputSchema } from '../input-schema.ts';
import { buildConfirmationRequest, defineTool, type ToolResult, toToolResult } from '../tool.ts';
import { outputSchema } from './kit.ts';
import { countRecords, loadNamedRecords } from './named-records.ts';
import { CONFIRM_SCHEMA, CONFIRMABLE_PROPERTIES, IDS_SCHEMA, MODEL_SCHEMA, NAMED_SCHEMA } from './schemas.ts';

export const deleteTool = defineTool({
  name: 'delete',
  title: 'Delete records',
  description:
    'Permanently deletes records. If one cannot be deleted, none is. Without confirm: true, only lists the ' +
    'records to delete.',
  inputSchema: inputSchema({ model: MODEL_SCHEMA, ids: IDS_SCHEMA, confirm: CONFIRM_SCHEMA }, [
    'model',
    'ids',
  ]),
  outputSchema: outputSchema({
    deleted_ids: { type: 'array', items: { type: 'integer' } },
    would_delete: NAMED_SCHEMA,
    ...CONFIRMABLE_PROPERTIES,
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  scope: 'write',
  group: 'data',
  method: 'unlink',
  effects: (ctx, { model, ids }) => ({
    effects: ['deletes', ...(computeListEffects(ctx, model, {}, false).sends ? (['sends'] as const) : [])],
    changes: new Set(ids).size,
  }),
  async run({ ctx, args: { model, ids: requestedIds }, confirmed }) {
    const ids = [...new Set(requestedIds)];
    assertAgentChange(ctx, getModel(ctx, model), 'unlink', []);
    assertModelAccess(ctx, getModel(ctx, model), 'unlink');
    if (!confirmed) return previewDeletion(ctx, model, ids);
    await callMethod(ctx, model, 'unlink', { ids });
    return toToolResult({ deleted_ids: ids }, ids.length);
  },
});

/** @throws MISSING if one of the listed records does not exist */
async function previewDeletion(ctx: Ctx, model: string, ids: number[]): Promise<ToolResult> {
  const sampleIds = ids.slice(0, limits.mcp.rows);
  const namedRecords = await loadNamedRecords(ctx, model, sampleIds);
  const foundIds = new Set(namedRecords.map(({ id }) => id));
  const missingIds = sampleIds.filter((id) => !foundIds.has(id));
  if (missingIds.length > 0) throw errors.missing(model, missingIds, ctx.principal!.userId);
  return buildConfirmationRequest({ would_delete: namedRecords }, `delete ${countRecords(ids)} of ${model}`);
}
