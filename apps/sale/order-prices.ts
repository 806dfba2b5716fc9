import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { facadeResult, returnRecords } from '../../src/engine/operation/record-result.ts';
import { write } from '../../src/engine/write/write.ts';
import { errors } from '../../src/errors.ts';
import { lockOrdersToChange } from './order-state.ts';

export const saleOrderUpdatePrices = defineOperation('saleOrderUpdatePrices', {
  kind: 'mutation',
  effects: ['writes'],
  address: 'sale.order/action_update_prices',
  onRecords: true,
  policy: { auth: ['USER'], scope: 'write' },
  description: 'Recomputes the line prices of orders from their pricelists and removes all discounts.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnRecords('sale.order', facadeResult.null),
  run: (ctx, { ids }) => ctx.tx((tx) => updatePrices(tx, ids)),
});

async function updatePrices(ctx: Ctx, orders: number[]): Promise<null> {
  await lockOrdersToChange(ctx, orders);
  const lines = await ctx.db.rows<{
    id: number;
    product_id: number;
    name: string;
    product_uom_id: number;
    locked: boolean;
  }>(
    sql`select l.id, l.product_id, l.name, l.product_uom_id, o.locked from sale_order_line l
     join sale_order o on o.workspace_id = ${ctx.workspace.id} and o.id = l.order_id
     where l.workspace_id = ${ctx.workspace.id} and l.order_id = any(${orders})
       and l.product_id is not null and l.display_type is null
     order by l.id`,
  );
  if (lines.some((line) => line.locked))
    throw errors.user('The prices of a locked order cannot be changed. Unlock the order first.');
  // Rewriting a line's product recomputes its price.
  for (const { id, product_id, name, product_uom_id } of lines)
    await write(ctx, 'sale.order.line', [id], { product_id, name, product_uom_id, discount: 0 });
  return null;
}
