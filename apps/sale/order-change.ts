import { type Sql, sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { setHookValues } from '../../src/engine/write/values.ts';
import { errors } from '../../src/errors.ts';
import { findTeam, loadPipeline } from '../crm/pipeline.ts';
import { changeTeam } from '../crm/team-change.ts';
import { isSet, linkId } from '../kit/values.ts';
import { getSeller, loadDefaults, setAddresses, setCurrency } from './order-values.ts';

/**
 * Adds dependent values to a change to orders: a new customer changes the addresses, a new customer or company the
 * pricelist of a quotation that has not been sent, a new pricelist the currency, and a new salesperson the team (as in
 * Odoo 19).
 */
export async function prepareOrderChange(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  if (changesPricing(values)) await completePricing(ctx, values, ids);
  if (isSet(values.user_id) && values.team_id === undefined) await followSalesperson(ctx, values, ids);
}

const changesPricing = (values: Values): boolean =>
  isSet(values.partner_id) || isSet(values.company_id) || 'pricelist_id' in values;

/** Builds SQL for the key of orders whose pricing changes alike. Null if it does not change. */
export const buildOrderKeySql = (values: Values): Sql | null =>
  changesPricing(values)
    ? sql.join([
        sql`t.state, t.company_id, t.user_id is null`,
        ...(isSet(values.company_id) ? [sql`t.partner_id, t.pricelist_id`] : []),
      ])
    : null;

interface ChangedOrder {
  state: string;
  company_id: number;
  partner_id: number;
  pricelist_id: number | null;
  user_id: number | null;
}

async function completePricing(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  const [order] = await ctx.db.rows<ChangedOrder>(
    sql`select state, company_id, partner_id, pricelist_id, user_id from sale_order
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}) limit 1`,
  );
  if (!order) return;
  if ('pricelist_id' in values && order.state === 'sale')
    throw errors.user('The pricelist of a confirmed order cannot be changed (pricelist_id).');
  const start = await loadDefaults(ctx, [linkId(values.partner_id) ?? order.partner_id]);
  const partner = start.partners[0];
  setAddresses(values, partner);
  if (isSet(values.partner_id) && values.user_id === undefined && order.user_id === null)
    values.user_id = partner?.user_id ?? getSeller(ctx) ?? false;
  const isSent = order.state !== 'draft';
  if (isSent && !isSet(values.company_id) && !('pricelist_id' in values)) return;
  const priced: Values = { company_id: order.company_id, ...values };
  if (isSent) priced.pricelist_id ??= order.pricelist_id ?? false;
  setCurrency(priced, start, partner?.given);
  setHookValues(values, { pricelist_id: priced.pricelist_id, currency_id: priced.currency_id });
}

async function followSalesperson(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  const user = values.user_id as number;
  const pipeline = await loadPipeline(ctx);
  const team = findTeam(pipeline, user);
  // Someone without a team works for the order's team.
  if (team?.users.includes(user))
    await changeTeam(ctx, values, { model: 'sale.order', ids, user, team, pipeline });
}
