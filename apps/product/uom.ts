import { type Ctx, defineModel, errors, sql } from '../kit/surface.ts';
import { productAccess } from './access.ts';

defineModel('uom.uom', {
  group: 'data',
  preview: {},
  order: 'sequence, relative_uom_id, id',
  access: productAccess,
  tree: {
    parent: 'relative_uom_id',
    loop: 'A unit cannot refer to itself, directly or through others (relative_uom_id).',
  },
  computed: {
    rounding: { type: 'float', label: 'Rounding Precision', sql: () => sql`0.01::float8` },
  },
  prepare: (_ctx, list) => {
    for (const { relative_factor: factor } of list)
      if (typeof factor === 'number' && factor <= 0)
        throw errors.validation('The factor of a unit must be greater than 0 (relative_factor).');
  },
  afterCreate: updateFactors,
  afterWrite: async (ctx, ids, values) => {
    if ('relative_factor' in values || 'relative_uom_id' in values) await updateFactors(ctx, ids);
  },
});

/** Computes the absolute quantities of the given units and of units that refer to them. */
async function updateFactors(ctx: Ctx, ids: number[]): Promise<void> {
  await ctx.db.rows(
    sql`with recursive tree(id, factor, depth) as (
       select u.id, u.relative_factor * coalesce(r.factor, 1), 0 from uom_uom u
       left join uom_uom r on r.workspace_id = ${ctx.workspace.id} and r.id = u.relative_uom_id
       where u.workspace_id = ${ctx.workspace.id} and u.id = any(${ids})
       union all
       select u.id, u.relative_factor * tree.factor, tree.depth + 1 from uom_uom u
       join tree on u.relative_uom_id = tree.id where u.workspace_id = ${ctx.workspace.id}
     ), found as (select distinct on (id) id, factor from tree order by id, depth desc)
     update uom_uom u set factor = found.factor from found
     where u.workspace_id = ${ctx.workspace.id} and u.id = found.id`,
  );
}
