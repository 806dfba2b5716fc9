import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { setHookValues } from '../../src/engine/write/values.ts';
import { errors } from '../../src/errors.ts';
import { findTeam, loadPipeline } from '../crm/pipeline.ts';
import { changeTeam } from '../crm/team-change.ts';
import { isSet, linkIds } from '../kit/values.ts';
import {
  getCurrency,
  getSeller,
  loadDefaults,
  type OrderDefaults,
  setAddresses,
  setCurrency,
} from './order-values.ts';

/**
 * Adds dependent values to a change to orders: a new customer changes the addresses and the pricelist, a new pricelist
 * changes the currency, and a new salesperson the team (as in Odoo 19).
 */
export async function prepareOrderChange(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  if (isSet(values.partner_id) || 'pricelist_id' in values) {
    const start = await loadDefaults(ctx, linkIds([values], 'partner_id'));
    setAddresses(values, start.partners[0]);
    if ('pricelist_id' in values) await changePricelist(ctx, values, ids, start);
    else await followCustomer(ctx, values, ids, start);
  }
  if (isSet(values.user_id) && values.team_id === undefined) await followSalesperson(ctx, values, ids);
}

/** Sets the new customer's pricelist on quotations that have not been sent, and the salesperson if there is none. */
async function followCustomer(ctx: Ctx, values: Values, ids: number[], start: OrderDefaults): Promise<void> {
  const partner = start.partners[0];
  const order = await loadAnyOrder(ctx, ids);
  if (!order) return;
  if (values.user_id === undefined && order.user_id === null)
    values.user_id = partner?.user_id ?? getSeller(ctx) ?? false;
  if (order.state !== 'draft') return;
  const priced: Values = { company_id: order.company_id };
  setCurrency(priced, start, partner?.given);
  setHookValues(values, { pricelist_id: priced.pricelist_id, currency_id: priced.currency_id });
}

interface ChangedOrder {
  state: string;
  company_id: number;
  user_id: number | null;
}

/** Loads one of the orders. All have the same state and company, and a salesperson or none (see `preparesBy`). */
async function loadAnyOrder(ctx: Ctx, ids: number[]): Promise<ChangedOrder | undefined> {
  const [order] = await ctx.db.rows<ChangedOrder>(
    sql`select state, company_id, user_id from sale_order
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}) limit 1`,
  );
  return order;
}

async function followSalesperson(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  const user = values.user_id as number;
  const pipeline = await loadPipeline(ctx);
  const team = findTeam(pipeline, user);
  // Someone without a team works for the order's team.
  if (team?.users.includes(user))
    await changeTeam(ctx, values, { model: 'sale.order', ids, user, team, pipeline });
}

async function changePricelist(ctx: Ctx, values: Values, ids: number[], start: OrderDefaults): Promise<void> {
  const order = await loadAnyOrder(ctx, ids);
  if (order?.state === 'sale')
    throw errors.user('The pricelist of a confirmed order cannot be changed (pricelist_id).');
  setHookValues(values, { currency_id: getCurrency(start, values.pricelist_id, order?.company_id) });
}
