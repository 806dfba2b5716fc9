import { type AppSetting, type Ctx, loadSetting } from '../kit/surface.ts';

const QUOTATION_DAYS: AppSetting = {
  name: 'quotation_days',
  label: 'Quotation validity in days',
  help: 'Number of days after which new quotations expire.',
  type: 'integer',
  default: 30,
  least: 0,
  most: 3_650,
};

const LOCK_CONFIRMED_ORDERS: AppSetting = {
  name: 'lock_confirmed_orders',
  label: 'Lock confirmed orders',
  help: 'Orders are locked when they are confirmed.',
  type: 'boolean',
  default: false,
};

export const saleSettings: AppSetting[] = [QUOTATION_DAYS, LOCK_CONFIRMED_ORDERS];

export const getQuotationDays = async (ctx: Ctx): Promise<number> =>
  Number(await loadSetting(ctx, 'sale', QUOTATION_DAYS));

export const shouldLockOrders = async (ctx: Ctx): Promise<boolean> =>
  (await loadSetting(ctx, 'sale', LOCK_CONFIRMED_ORDERS)) === true;
