import { getToday } from '../../src/engine/ctx/call-context.ts';
import { extendModel } from '../../src/engine/model/registry.ts';
import { addDays } from '../kit/dates.ts';
import { type Ctx, defineModel, errors, sql } from '../kit/surface.ts';
import { updateLineAmounts } from './amounts.ts';
import { updateLineTaxes } from './line-values.ts';
import { buildOrderKeySql, prepareOrderChange } from './order-change.ts';
import { orderComputed } from './order-computed.ts';
import { nameOrders } from './order-new.ts';
import { prepareOrders } from './order-values.ts';
import { getQuotationDays } from './settings.ts';

defineModel('sale.order', {
  group: 'data',
  order: 'date_order desc, id desc',
  searchNames: ['name', 'client_order_ref'],
  access: { 'sales_team.group_sale_salesman': 'crw', 'sales_team.group_sale_manager': 'crwu' },
  rules: [
    {
      name: 'of the own companies',
      domain: "[('company_id', 'in', company_ids)]",
    },
    {
      name: 'own and unassigned orders',
      group: 'sales_team.group_sale_salesman',
      domain: "['|', ('user_id', '=', user.id), ('user_id', '=', False)]",
    },
    { name: 'all orders', group: 'sales_team.group_sale_salesman_all_leads', domain: "[(1, '=', 1)]" },
  ],
  mixins: ['mail.thread', 'mail.activity'],
  computed: orderComputed,
  setBy: {
    state: ['action_quotation_sent', 'action_confirm', 'action_cancel', 'action_draft'],
    locked: ['action_lock', 'action_unlock'],
  },
  defaults: { validity_date: async (ctx) => addDays(getToday(ctx), await getQuotationDays(ctx)) },
  preview: {
    follows: {
      partner_id: ['partner_invoice_id', 'partner_shipping_id', 'pricelist_id'],
      company_id: ['pricelist_id'],
      user_id: ['team_id'],
    },
    ignores: ['name'],
  },
  completes: ['partner_invoice_id', 'partner_shipping_id', 'company_id'],
  prepare: (ctx, list, ids) =>
    ids === null ? prepareOrders(ctx, list) : prepareOrderChange(ctx, list[0]!, ids),
  preparesBy: (_ctx, values) => buildOrderKeySql(values),
  beforeCreate: nameOrders,
  afterWrite: async (ctx, ids, values) => {
    if ('company_id' in values) await updateLineTaxes(ctx, ids);
    if ('currency_id' in values) await updateAllAmounts(ctx, ids);
  },
  beforeUnlink: rejectConfirmedOrders,
});

extendModel('res.partner', {
  lists: {
    sale_order_ids: { label: 'Sales Orders', relation: 'sale.order', inverse: 'partner_id', readonly: true },
  },
});

/** Recomputes all amounts, because another currency may round differently. */
async function updateAllAmounts(ctx: Ctx, ids: number[]): Promise<void> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from sale_order_line where workspace_id = ${ctx.workspace.id} and order_id = any(${ids})`,
  );
  if (rows.length)
    await updateLineAmounts(
      ctx,
      rows.map((row) => row.id),
    );
}

async function rejectConfirmedOrders(ctx: Ctx, ids: number[]): Promise<void> {
  const [order] = await ctx.db.rows<{ name: string }>(
    sql`select name from sale_order
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and state not in ('draft', 'cancel') limit 1`,
  );
  if (order) throw errors.user(`${order.name} was sent or confirmed. Cancel it before you delete it.`);
}
