import { facadeResult } from '../../src/engine/operation/record-result.ts';
import { type Ctx, defineOperation, errors, returnRecords, sql, write } from '../kit/surface.ts';
import { updateLinePrices } from './line-prices.ts';
import { lockOrdersToChange } from './order-state.ts';

export const saleOrderUpdatePrices = defineOperation('saleOrderUpdatePrices', {
  effects: ['writes'],
  address: 'sale.order/action_update_prices',
  onRecords: true,
  policy: { auth: ['USER'], scope: 'write', access: ['sale.order', 'write'] },
  description: 'Recomputes the line prices of orders from their pricelists and removes all discounts.',
  formAction: {
    label: 'Update prices',
    offeredFor: { state: ['draft', 'sent'], locked: [false] },
    question: 'The prices of all lines are computed from the pricelist, and all discounts are removed.',
  },
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnRecords('sale.order', facadeResult.null),
  run: (ctx, { ids }) => ctx.tx((tx) => updatePrices(tx, ids)),
});

async function updatePrices(ctx: Ctx, orders: number[]): Promise<null> {
  await lockOrdersToChange(ctx, orders);
  const lines = await ctx.db.rows<{ id: number; locked: boolean }>(
    sql`select l.id, o.locked from sale_order_line l
     join sale_order o on o.workspace_id = ${ctx.workspace.id} and o.id = l.order_id
     where l.workspace_id = ${ctx.workspace.id} and l.order_id = any(${orders})
       and l.product_id is not null and l.display_type is null
     order by l.id`,
  );
  if (lines.some((line) => line.locked))
    throw errors.user('The prices of a locked order cannot be changed. Unlock the order first.');
  const ids = lines.map((line) => line.id);
  await updateLinePrices(ctx, ids, { force: true });
  // Also checks the right to change the lines, and updates their amounts.
  await write(ctx, 'sale.order.line', ids, { discount: 0 });
  return null;
}
