import type { ExchangeRates } from '../../src/engine/value/money.ts';
import { type Ctx, filterReadableIds, linkIds, type Values } from '../kit/surface.ts';
import type { PricedProduct, PriceRule } from '../product/price.ts';
import { priceBookSql } from './price-book-sql.ts';

export interface PriceBookProduct extends Omit<PricedProduct, 'cost_currency'> {
  costs: Record<number, number> | null;
  description: string;
  translations: Record<string, string> | null;
  uom_id: number;
  uom_factor: number;
  taxes: { id: number; company: number }[];
}

interface BookedOrder {
  id: number;
  company_id: number;
  company_currency: number | null;
  currency_id: number;
  pricelist_id: number | null;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  date: string;
  lang: string | null;
  /** The order's company, and then its parent companies. */
  companies: number[];
}

interface PriceBookRows {
  products: PriceBookProduct[];
  orders: BookedOrder[];
  rules: PriceRule[];
  units: { id: number; factor: number }[];
  rates: { company: number; day: string; currency: number; rate: number }[];
  pricelists: { id: number; currency_id: number }[];
}

export interface PriceBook {
  products: Map<number, PriceBookProduct>;
  orders: Map<number, BookedOrder>;
  rules: PriceRule[];
  factors: Map<number, number>;
  currencies: Map<number, number>;
  /** Returns the exchange rates of the order's company and day. */
  ratesOf(order: BookedOrder): ExchangeRates;
}

/** Loads the price data of any number of lines in one query. Omits products that the caller cannot read. */
export async function loadPriceBook(ctx: Ctx, lines: Values[]): Promise<PriceBook> {
  const inReach = await filterReadableIds(ctx, 'product.product', linkIds(lines, 'product_id'));
  const [rows] = await ctx.db.rows<PriceBookRows>(
    priceBookSql({
      workspace: ctx.workspace.id,
      products: inReach,
      orders: linkIds(lines, 'order_id'),
      units: linkIds(lines, 'product_uom_id'),
    }),
  );
  const { products, orders, rules, units, rates, pricelists } = rows!;
  const ordersById = new Map(orders.map((order) => [order.id, order]));
  return {
    products: new Map(products.map((product) => [product.id, product])),
    orders: ordersById,
    rules,
    factors: new Map(units.map((unit) => [unit.id, unit.factor])),
    currencies: new Map(pricelists.map((pricelist) => [pricelist.id, pricelist.currency_id])),
    ratesOf: ({ company_id: company, date }) =>
      new Map(
        rates
          .filter((rate) => rate.company === company && rate.day === date.slice(0, 10))
          .map((rate) => [rate.currency, rate.rate]),
      ),
  };
}
