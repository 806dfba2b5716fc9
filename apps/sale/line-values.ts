import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { convertAmount, roundTo } from '../../src/engine/value/money.ts';
import { errors } from '../../src/errors.ts';
import { isSet, linkId } from '../kit/values.ts';
import { computePrice, getPriceCurrency } from '../product/price.ts';
import { createPricedSectionError } from './line-guards.ts';
import { loadPriceBook, type PriceBook, type PriceBookProduct } from './price-book.ts';

/** Fills in the description, unit, price and taxes of lines from their products, unless the caller set them. */
export async function prepareLines(ctx: Ctx, list: Values[], ids: number[] | null): Promise<void> {
  for (const values of list) checkDisplay(values, ids === null);
  const due = list.filter((values) => linkId(values.product_id) !== null && !isSet(values.display_type));
  if (due.length === 0) return;
  const pricedValues = ids === null ? due : [await mergeLineValues(ctx, due[0]!, ids)];
  const book = await loadPriceBook(ctx, pricedValues);
  pricedValues.forEach((values, index) => {
    const product = book.products.get(values.product_id as number);
    if (product) fillFromProduct(due[index]!, values, product, book);
    // Reports the missing product instead of the missing description.
    else if (ids === null && !isSet(values.name)) throw errors.missingLink('Product', 'product_id');
  });
}

/**
 * Adds the stored fields that pricing needs. If several lines change at once, all use the first line's order and
 * quantity.
 */
async function mergeLineValues(ctx: Ctx, values: Values, ids: number[]): Promise<Values> {
  const [line] = await ctx.db.rows<Values>(
    sql`select order_id, product_uom_qty from sale_order_line
     where workspace_id = ${ctx.workspace.id} and id = ${ids[0]}`,
  );
  return { ...line, ...values };
}

/** @param visibleValues the written values merged with the stored ones */
function fillFromProduct(
  values: Values,
  visibleValues: Values,
  product: PriceBookProduct,
  book: PriceBook,
): void {
  const lang = book.orders.get(visibleValues.order_id as number)?.lang ?? '';
  values.name ??= product.translations?.[lang] ?? product.description;
  values.product_uom_id ??= product.uom_id;
  values.price_unit ??= computeUnitPrice(visibleValues, product, book, values.product_uom_id);
  values.tax_ids ??= [
    [6, 0, product.taxes.filter((tax) => tax.company === book.companyOf(visibleValues)).map((tax) => tax.id)],
  ];
}

function computeUnitPrice(line: Values, product: PriceBookProduct, book: PriceBook, unit: unknown): number {
  const order = book.orders.get(line.order_id as number);
  const factor = book.factors.get(unit as number) ?? product.uom_factor;
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
  return roundTo(price * unitSize, 0.01);
}

function checkDisplay(values: Values, isNew: boolean): void {
  if (isSet(values.display_type)) {
    if (isSet(values.product_id) || Number(values.price_unit || 0) !== 0) throw createPricedSectionError();
    if (isNew) Object.assign(values, { product_uom_qty: 0, product_uom_id: false, product_id: false });
  }
}
