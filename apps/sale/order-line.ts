import { type Ctx, defineModel, isSet, sql, type Values } from '../kit/surface.ts';
import { getOrderIds, lockOrders, updateLineAmounts, updateOrderAmounts } from './amounts.ts';
import { lineComputed } from './line-computed.ts';
import { rejectIfConfirmed, rejectIfLocked, rejectOtherType } from './line-guards.ts';
import { hasManualPrice, PRICE_FIELDS, PRICE_INPUTS, updateLinePrices } from './line-prices.ts';
import { prepareLines } from './line-values.ts';

const AMOUNT_FIELDS = [...PRICE_INPUTS, 'price_unit', 'discount', 'tax_ids', 'display_type', 'order_id'];

defineModel('sale.order.line', {
  group: 'data',
  order: 'order_id, sequence, id',
  completes: ['name'],
  preview: {
    follows: {
      product_id: ['name', 'product_uom_id', 'tax_ids', ...PRICE_FIELDS],
      product_uom_id: PRICE_FIELDS,
      product_uom_qty: PRICE_FIELDS,
    },
    // In a form, another product replaces even a price set by hand (as in Odoo 19).
    keeps: (values, changed) =>
      !changed.includes('product_id') && hasManualPrice(values) ? PRICE_FIELDS : [],
  },
  access: { 'sales_team.group_sale_salesman': 'crwu', 'sales_team.group_sale_manager': 'crwu' },
  rules: [
    { name: 'of the own companies', domain: "[('order_id.company_id', 'in', company_ids)]" },
    {
      name: 'of own and unassigned orders',
      group: 'sales_team.group_sale_salesman',
      domain: "['|', ('order_id.user_id', '=', user.id), ('order_id.user_id', '=', False)]",
    },
    { name: 'of all orders', group: 'sales_team.group_sale_salesman_all_leads', domain: "[(1, '=', 1)]" },
  ],
  related: {
    product_template_id: { path: 'product_id.product_tmpl_id', label: 'Product Template' },
    order_partner_id: { path: 'order_id.partner_id', label: 'Customer' },
    salesman_id: { path: 'order_id.user_id', label: 'Salesperson' },
    currency_id: { path: 'order_id.currency_id', label: 'Currency' },
    company_id: { path: 'order_id.company_id', label: 'Company' },
    state: { path: 'order_id.state', label: 'Order Status' },
  },
  computed: lineComputed,
  prepare: prepareLines,
  // Taxes depend on the order's company, and descriptions on the customer's language.
  preparesBy: (ctx, values) =>
    isSet(values.product_id) && values.order_id === undefined
      ? sql`(select (o.company_id, c.lang) from sale_order o
          left join res_partner c on c.workspace_id = ${ctx.workspace.id} and c.id = o.partner_id
          where o.workspace_id = ${ctx.workspace.id} and o.id = t.order_id)`
      : null,
  beforeCreate: async (ctx, list) => {
    const orders = list.map((values) => values.order_id as number);
    await lockOrders(ctx, orders);
    await rejectIfLocked(ctx, { orders });
  },
  afterCreate: updateLineAmounts,
  beforeWrite: checkLineChange,
  afterWrite: async (ctx, ids, values) => {
    if (!('price_unit' in values) && PRICE_INPUTS.some((name) => name in values))
      await updateLinePrices(ctx, ids, { force: ctx.context.recomputedFields?.has('price_unit') });
    if (AMOUNT_FIELDS.some((name) => name in values)) await updateLineAmounts(ctx, ids);
  },
  beforeUnlink: async (ctx, ids) => {
    await lockOrders(ctx, [], ids);
    await rejectIfConfirmed(ctx, ids);
    await updateOrderAmounts(ctx, await getOrderIds(ctx, ids), ids);
  },
});

/** Rejects changes to a locked order. If lines move to another order, subtracts them from the old order's totals. */
async function checkLineChange(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  await lockOrders(ctx, [values.order_id], ids);
  await rejectIfLocked(ctx, { lines: ids, values });
  await rejectOtherType(ctx, ids, values);
  if ('order_id' in values) await updateOrderAmounts(ctx, await getOrderIds(ctx, ids), ids);
}
