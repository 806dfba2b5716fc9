import { facadeResult } from '../../src/engine/operation/record-result.ts';
import { copy } from '../../src/engine/write/copy.ts';
import { type Ctx, defineOperation, read, returnRecords } from '../kit/surface.ts';

export const productCopy = defineOperation('productCopy', {
  kind: 'mutation',
  effects: ['writes'],
  address: 'product.product/copy',
  policy: { auth: ['USER'], scope: 'write', access: ['product.template', 'create'] },
  description: 'Duplicates products. Each copy gets its own template.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }), default: arg({ type: 'JSON' }) }),
  aliases: { defaults: 'default' },
  ...returnRecords('product.product', facadeResult.ids, (copies: number[]) => copies),
  run: (ctx, { ids, default: defaults }) => ctx.tx((tx) => copyProducts(tx, ids, defaults)),
});

/** Copies products with their templates, because a second variant of the same template would be a duplicate. */
async function copyProducts(ctx: Ctx, ids: number[], defaults: unknown): Promise<number[]> {
  const field = 'product_tmpl_id';
  const rows = (await read(ctx, { model: 'product.product', ids, fields: [field], flavour: 'ids' })).value<
    { [field]: number }[]
  >();
  const templates = await copy(
    ctx,
    'product.template',
    rows.map((row) => row[field]),
    defaults,
  );
  const variantIds = (
    await read(ctx, {
      model: 'product.template',
      ids: templates,
      fields: ['product_variant_id'],
      flavour: 'ids',
    })
  ).value<{ product_variant_id: number }[]>();
  return variantIds.map((row) => row.product_variant_id);
}
