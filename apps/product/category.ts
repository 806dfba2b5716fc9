import { type Ctx, defineModel, sql } from '../kit/surface.ts';
import { productAccess } from './access.ts';

defineModel('product.tag', { group: 'data', order: 'sequence, name, id', access: productAccess });

defineModel('product.category', {
  group: 'data',
  preview: {},
  display: 'complete_name',
  searchNames: ['complete_name'],
  order: 'complete_name, id',
  access: productAccess,
  tree: { parent: 'parent_id', loop: 'A category cannot be below itself (parent_id).' },
  computed: {
    product_count: {
      type: 'integer',
      label: '# Products',
      help: 'Includes products of subcategories.',
      sql: (row, context) => {
        const [template, rowsBelow] = [context.alias(), context.alias()];
        return sql`(with recursive ${rowsBelow}(id) as (
            select ${row}.id union select c.id from ${context.table('product.category')} c
            join ${rowsBelow} on c.parent_id = ${rowsBelow}.id where c.workspace_id = ${context.workspace})
          select count(*)::int from ${context.table('product.template')} ${template}
            join ${rowsBelow} on ${rowsBelow}.id = ${template}.categ_id
            where ${template}.workspace_id = ${context.workspace} and ${template}.active)`;
      },
    },
  },
  afterCreate: updateCompleteNames,
  afterWrite: async (ctx, ids, values) => {
    if ('name' in values || 'parent_id' in values) await updateCompleteNames(ctx, ids);
  },
});

/**
 * Sets complete names such as `All / Goods` on the given categories and their descendants. If several paths lead to a
 * category, the longest one is used, because it includes all changed names.
 */
async function updateCompleteNames(ctx: Ctx, ids: number[]): Promise<void> {
  await ctx.db.rows(
    sql`with recursive tree(id, name, depth) as (
       select c.id, case when u.id is null then c.name else u.complete_name || ' / ' || c.name end, 0
       from product_category c
       left join product_category u on u.workspace_id = ${ctx.workspace.id} and u.id = c.parent_id
       where c.workspace_id = ${ctx.workspace.id} and c.id = any(${ids})
       union all
       select c.id, tree.name || ' / ' || c.name, tree.depth + 1
       from product_category c join tree on c.parent_id = tree.id where c.workspace_id = ${ctx.workspace.id}
     ), named as (select distinct on (id) id, name from tree order by id, depth desc)
     update product_category c set complete_name = named.name from named
     where c.workspace_id = ${ctx.workspace.id} and c.id = named.id`,
  );
}
