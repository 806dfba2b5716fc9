import { assertAgentChange } from '../../../src/engine/access/agents.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import { computeListEffects } from '../../../src/engine/access/list-effects.ts';
import type { OperationEffect } from '../../../src/engine/model/effects.ts';
import { callMethod } from '../../../src/engine/operation/call.ts';
import { limits } from '../../../src/limits.ts';
import { inputSchema } from '../input-schema.ts';
import { buildConfirmationRequest, defineTool, toToolResult } from '../tool.ts';
import { outputSchema } from './kit.ts';
import { countRecords, loadNamedRecords } from './named-records.ts';
import {
  CONFIRM_SCHEMA,
  CONFIRMABLE_PROPERTIES,
  IDS_SCHEMA,
  MODEL_SCHEMA,
  NAMED_SCHEMA,
  VALUES_SCHEMA,
} from './schemas.ts';

export const updateTool = defineTool({
  name: 'update',
  title: 'Update records',
  description:
    'Writes the same values to all given records. If one cannot be updated, none is. Changing more than ' +
    `${limits.mcp.unconfirmed} records or a user's login requires confirm: true.`,
  inputSchema: inputSchema(
    {
      model: MODEL_SCHEMA,
      ids: IDS_SCHEMA,
      values: VALUES_SCHEMA,
      expected_version: {
        type: 'array',
        items: { type: 'integer' },
        description:
          'row_version of each record when you read it. If any record has changed since, none is updated.',
      },
      confirm: CONFIRM_SCHEMA,
    },
    ['model', 'ids', 'values'],
  ),
  outputSchema: outputSchema({
    updated_ids: { type: 'array', items: { type: 'integer' } },
    would_update: NAMED_SCHEMA,
    ...CONFIRMABLE_PROPERTIES,
  }),
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  scope: 'write',
  group: 'data',
  method: 'write',
  effects: (ctx, args) => {
    const { deletes, createdCount, writtenCount, sends } = computeListEffects(
      ctx,
      args.model,
      args.values,
      false,
    );
    const toolEffects: OperationEffect[] = [
      'writes',
      ...(deletes ? ['deletes' as const] : []),
      ...(sends ? ['sends' as const] : []),
    ];
    return { effects: toolEffects, changes: new Set(args.ids).size * (1 + createdCount + writtenCount) };
  },
  standsFor: (ctx, { model, values }) => {
    const { deletes, createdCount } = computeListEffects(ctx, model, values, false);
    return [...(deletes ? ['delete'] : []), ...(createdCount > 0 ? ['create'] : [])];
  },
  async run({ ctx, args, confirmed, decided }) {
    const { model, ids: requestedIds, values, expected_version } = args;
    const ids = [...new Set(requestedIds)];
    const target = getModel(ctx, model);
    assertAgentChange(ctx, target, 'write', [values]);
    const { deletes, writtenCount } = computeListEffects(ctx, model, values, false);
    const sensitive = (target.options.confirmedFields ?? []).filter((name) => name in values);
    const isLarge = ids.length * (1 + writtenCount) > limits.mcp.unconfirmed;
    if (!confirmed && (decided || deletes || sensitive.length > 0 || isLarge)) {
      const action = sensitive.length > 0 ? `change ${sensitive.join(' and ')} of` : 'update';
      const more = deletes ? ', and delete other records' : writtenCount > 0 ? ' with their lists' : '';
      const confirmation = {
        would_update: await loadNamedRecords(ctx, model, ids.slice(0, limits.mcp.rows)),
      };
      return buildConfirmationRequest(confirmation, `${action} ${countRecords(ids)} of ${model}${more}`);
    }
    const context = expected_version && { expected_version };
    await callMethod(ctx, model, 'write', { ids, vals: values, ...(context && { context }) });
    return toToolResult({ updated_ids: ids }, ids.length);
  },
});
