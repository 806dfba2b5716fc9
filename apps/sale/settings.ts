import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { type AppSetting, settingOf } from '../kit/settings.ts';

const DAYS: AppSetting = {
  name: 'quotation_days',
  label: 'Days a quotation stands',
  help: 'New quotations expire after so many days.',
  type: 'integer',
  default: 30,
  least: 0,
  most: 3_650,
};

const LOCKED: AppSetting = {
  name: 'lock_confirmed_orders',
  label: 'Lock confirmed orders',
  help: 'Orders are locked as they are confirmed.',
  type: 'boolean',
  default: false,
};

export const saleSettings: AppSetting[] = [DAYS, LOCKED];

/** How many days a quotation stands. */
export const quotationDays = async (ctx: Ctx): Promise<number> => Number(await settingOf(ctx, 'sale', DAYS));

/** Whether orders are locked as they are confirmed. */
export const locksOrders = async (ctx: Ctx): Promise<boolean> =>
  (await settingOf(ctx, 'sale', LOCKED)) === true;
