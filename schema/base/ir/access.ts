import { sql } from '../../../src/db/sql.ts';
import { getMaximumRights, limitRights } from '../../../src/engine/access/maximum-rights.ts';
import { announceCatalogChange } from '../../../src/engine/ctx/announce-catalog-change.ts';
import { OPERATIONS } from '../../../src/engine/ctx/catalog.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { AccessKind } from '../../../src/engine/model/access-kind.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { type AppError, errors } from '../../../src/errors.ts';

/** Access rights of groups. Changes take effect immediately in every process. */
defineModel('ir.model.access', {
  group: 'data',
  order: 'model_id, group_id, name, id',
  access: { 'base.group_erp_manager': 'crwu', 'base.group_system': 'crwu' },
  audited: true,
  afterCreate: checkAndInvalidate,
  afterWrite: checkAndInvalidate,
  beforeUnlink: announceCatalogChange,
});

async function checkAndInvalidate(ctx: Ctx, ids: number[]): Promise<void> {
  await rejectExcessRights(ctx, ids);
  announceCatalogChange(ctx);
}

/** Rejects rights that exceed the model's maximum rights, because they would have no effect. @throws VALIDATION */
async function rejectExcessRights(ctx: Ctx, ids: number[]): Promise<void> {
  const grantedOperations = OPERATIONS.map(
    (operation) => sql`case when ${sql.id(`perm_${operation}`)} then ${sql.literal(operation)} end`,
  );
  const rows = await ctx.db.rows<{ model: string; group: string | null; operations: AccessKind[] }>(
    sql`select m.model, coalesce(g.external_id, 'group.' || g.id) as group,
       array_remove(array[${sql.join(grantedOperations)}], null) as operations
     from ir_model_access a join ir_model_stock m on m.id = a.model_id
     left join res_groups g on g.workspace_id = ${ctx.workspace.id} and g.id = a.group_id
     where a.workspace_id = ${ctx.workspace.id} and a.id = any(${ids})`,
  );
  for (const { model: name, group, operations } of rows) {
    const model = ctx.catalog.registry.get(name);
    const operationSet = new Set(operations);
    if (model && limitRights(model, group, operationSet).size < operationSet.size)
      throw findExcessRight(ctx, model, group);
  }
}

function findExcessRight({ catalog }: Ctx, model: Model, group: string | null): AppError {
  const { ceiling } = model.options;
  const groups = typeof ceiling === 'object' ? Object.keys(ceiling) : null;
  const groupLabels = groups?.map((group) => catalog.groupNames.get(group) ?? group).join(', ');
  const maximumRights = [
    ...getMaximumRights(model, groups && !groups.includes(group ?? '') ? groups[0]! : group)!,
  ].join(', ');
  return errors
    .validation(
      `Access rights on ${model.label} (${model.name}) can grant at most ${maximumRights || 'nothing'}` +
        `${groupLabels ? `, and only to ${groupLabels}` : ''}. Everything else is reserved for the platform.`,
    )
    .withDetails({ model: 'ir.model.access', field: 'model_id' });
}
