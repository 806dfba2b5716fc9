import { convertAmount, roundTo } from '../../src/engine/value/money.ts';
import { type Ctx, sql, type Values } from '../kit/surface.ts';
import { computePrice, getPriceCurrency } from '../product/price.ts';
import { loadPriceBook, type PriceBook, type PriceBookProduct } from './price-book.ts';

/** Fields whose change recomputes the price. */
export const PRICE_INPUTS = ['product_id', 'product_uom_id', 'product_uom_qty'];

export const PRICE_FIELDS = ['price_unit', 'technical_price_unit'];

/** Decimal step of unit prices (`@digits 16,2`). */
const PRICE_STEP = 0.01;

/** Returns true if the price was set by hand: it differs from the price that was last computed (as in Odoo 19). */
export const hasManualPrice = (line: Values): boolean =>
  toPrice(line.price_unit) !== toPrice(line.technical_price_unit);

/** Form values have not been validated yet, and objects cannot be converted. */
const toPrice = (value: unknown): number =>
  roundTo(typeof value === 'object' ? 0 : Number(value || 0), PRICE_STEP);

/**
 * Recomputes the prices of stored lines from their pricelists. Keeps prices set by hand, unless `force` is set, and the
 * prices of down payments and invoiced lines.
 */
export async function updateLinePrices(ctx: Ctx, ids: number[], { force = false } = {}): Promise<void> {
  const rows = await ctx.db.rows<Values & { id: number }>(
    sql`select id, order_id, product_id, product_uom_id, product_uom_qty, price_unit, technical_price_unit
     from sale_order_line where workspace_id = ${ctx.workspace.id} and id = any(${ids})
       and product_id is not null and display_type is null and not is_downpayment and qty_invoiced <= 0`,
  );
  const lines = rows.filter((line) => force || !hasManualPrice(line));
  if (lines.length === 0) return;
  const book = await loadPriceBook(ctx, lines);
  const prices = lines.flatMap((line) => {
    const product = book.products.get(line.product_id as number);
    return product ? [{ id: line.id, price: computeUnitPrice(line, product, book) }] : [];
  });
  await ctx.db.rows(
    sql`update sale_order_line l set price_unit = x.price, technical_price_unit = x.price
     from jsonb_to_recordset(${JSON.stringify(prices)}::jsonb) as x(id int, price float8)
     where l.workspace_id = ${ctx.workspace.id} and l.id = x.id`,
  );
}

export function computeUnitPrice(line: Values, product: PriceBookProduct, book: PriceBook): number {
  const order = book.orders.get(line.order_id as number);
  const factor = book.factors.get(line.product_uom_id as number) ?? product.uom_factor;
  const unitSize = factor / product.uom_factor;
  const priced = {
    ...product,
    standard_price: product.costs?.[order?.company_id ?? 0] ?? product.standard_price,
    cost_currency: order?.company_currency ?? null,
  };
  const sale = {
    pricelist: order?.pricelist_id ?? null,
    currency: order?.currency_id ?? null,
    // A line without a quantity has the price of one unit (Odoo 19).
    quantity: Number(line.product_uom_qty || 1) * unitSize,
    unitSize,
    date: order?.date ?? '',
    rates: order ? book.ratesOf(order) : new Map(),
    currencies: book.currencies,
  };
  const price = convertAmount(
    computePrice(priced, sale, book.rules),
    getPriceCurrency(sale),
    sale.currency,
    sale.rates,
  );
  return roundTo(price * unitSize, PRICE_STEP);
}
