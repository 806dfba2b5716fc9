import { call } from '../../src/engine/operation/call.ts';
import { facadeResult } from '../../src/engine/operation/record-result.ts';
import { type Ctx, defineOperation, errors, returnRecords, sql, write } from '../kit/surface.ts';
import { lockOrdersToChange } from './order-state.ts';

export const saleOrderSend = defineOperation('saleOrderSend', {
  kind: 'mutation',
  effects: ['writes', 'sends'],
  address: 'sale.order/action_quotation_send',
  onRecords: true,
  policy: { auth: ['USER'], scope: 'write', access: ['sale.order', 'write'] },
  description:
    'Marks quotations as sent and posts their content as a message. Does not send an email; the caller must send it.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }) }),
  ...returnRecords('sale.order', facadeResult.true),
  run: async (ctx, { ids }) => {
    await ctx.tx((tx) => sendOrders(tx, ids));
    return true;
  },
});

/** Sends orders. A confirmed order may be sent again and stays confirmed. @throws USER_ERROR if an order is canceled */
async function sendOrders(ctx: Ctx, ids: number[]): Promise<void> {
  const orders = await lockOrdersToChange(ctx, ids);
  const cancelledRow = orders.find((order) => order.state === 'cancel');
  if (cancelledRow) throw errors.user(`${cancelledRow.name} is canceled. Reset it to a quotation first.`);
  const drafts = orders.filter((order) => order.state === 'draft').map((order) => order.id);
  if (drafts.length) await write(ctx.system(), 'sale.order', drafts, { state: 'sent' });
  const workspace = ctx.workspace.id;
  for (const { id } of orders) {
    const [order] = await ctx.db.rows<OrderSummary>(
      sql`select o.name, p.complete_name as customer, c.name as currency, o.amount_total::float8 as total,
         (select count(*)::int from sale_order_line l
           where l.workspace_id = ${workspace} and l.order_id = o.id and l.display_type is null) as count,
         (select coalesce(json_agg(x), '[]') from (
           select split_part(l.name, E'\\n', 1) as name, l.product_uom_qty as quantity,
             l.price_total::float8 as total
           from sale_order_line l
           where l.workspace_id = ${workspace} and l.order_id = o.id and l.display_type is null
           order by l.sequence, l.id limit ${MAX_SUMMARY_LINES}) x) as lines
       from sale_order o join res_partner p on p.workspace_id = ${workspace} and p.id = o.partner_id
       join res_currency c on c.workspace_id = ${workspace} and c.id = o.currency_id
       where o.workspace_id = ${workspace} and o.id = ${id}`,
    );
    await call(ctx, 'recordMessagePost', {
      model: 'sale.order',
      ids: [id],
      subject: order!.name,
      body: renderOrderSummary(order!),
      messageType: 'comment',
    });
  }
}

interface OrderSummary {
  name: string;
  customer: string;
  currency: string;
  total: number;
  lines: { name: string; quantity: number; total: number }[];
  count: number;
}

const MAX_SUMMARY_LINES = 20;

function renderOrderSummary({ name, customer, currency, total, lines, count }: OrderSummary): string {
  const formatMoney = (amount: number): string => `${amount.toFixed(2)} ${currency}`;
  return [
    `${name} for ${customer}`,
    ...lines.map((line) => `${line.quantity} × ${line.name}: ${formatMoney(line.total)}`),
    ...(count > lines.length ? [`and ${count - lines.length} more`] : []),
    `Total: ${formatMoney(total)}`,
  ].join('\n');
}
