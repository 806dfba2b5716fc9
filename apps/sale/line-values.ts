import { type Ctx, errors, isSet, linkId, sql, type Values, write } from '../kit/surface.ts';
import { createPricedSectionError } from './line-guards.ts';
import { computeUnitPrice } from './line-prices.ts';
import { loadPriceBook, type PriceBook, type PriceBookProduct } from './price-book.ts';

/**
 * Fills in the description, unit and taxes of lines from their products, unless the caller set them, and the prices of
 * new lines. The prices of stored lines are updated after the change, because each line can have another one.
 */
export async function prepareLines(ctx: Ctx, list: Values[], ids: number[] | null): Promise<void> {
  for (const values of list) {
    checkDisplay(values, ids === null);
    // A client that cannot edit prices sends only the computed price.
    if (values.price_unit === undefined) delete values.technical_price_unit;
  }
  const due = list.filter((values) => linkId(values.product_id) !== null && !isSet(values.display_type));
  if (due.length === 0) return;
  const pricedValues = ids === null ? due : [await mergeLineValues(ctx, due[0]!, ids)];
  const book = await loadPriceBook(ctx, pricedValues);
  pricedValues.forEach((values, index) => {
    const product = book.products.get(values.product_id as number);
    if (product) {
      fillFromProduct(due[index]!, values, product, book);
      if (ids === null) fillPrices(due[index]!, product, book);
    }
    // Reports the missing product instead of the missing description.
    else if (ids === null && !isSet(values.name)) throw errors.missingLink('Product', 'product_id');
  });
}

/** Adds the stored order. The orders of all lines have the same company and language (see `preparesBy`). */
async function mergeLineValues(ctx: Ctx, values: Values, ids: number[]): Promise<Values> {
  const [line] = await ctx.db.rows<Values>(
    sql`select order_id from sale_order_line
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
  const { lang, companies = [] } = book.orders.get(visibleValues.order_id as number) ?? {};
  values.name ??= product.translations?.[lang ?? ''] ?? product.description;
  values.product_uom_id ??= product.uom_id;
  values.tax_ids ??= [[6, 0, findTaxes(product, companies)]];
}

/** Sets the taxes of the orders' lines, whose company has changed. */
export async function updateLineTaxes(ctx: Ctx, orders: number[]): Promise<void> {
  const lines = await ctx.db.rows<Values & { id: number }>(
    sql`select id, order_id, product_id from sale_order_line
     where workspace_id = ${ctx.workspace.id} and order_id = any(${orders}) and product_id is not null
       and display_type is null`,
  );
  if (lines.length === 0) return;
  const book = await loadPriceBook(ctx, lines);
  const priced = lines.filter((line) => book.products.has(line.product_id as number));
  const groups = Map.groupBy(priced, ({ order_id, product_id }) => {
    const product = book.products.get(product_id as number)!;
    return findTaxes(product, book.orders.get(order_id as number)?.companies ?? []).join();
  });
  for (const [taxes, group] of groups)
    await write(
      ctx,
      'sale.order.line',
      group.map(({ id }) => id),
      { tax_ids: [[6, 0, taxes === '' ? [] : taxes.split(',').map(Number)]] },
    );
}

/** Returns the product's taxes in the first of the companies that has any (as in Odoo 19). */
function findTaxes({ taxes }: PriceBookProduct, companies: number[]): number[] {
  const company = companies.find((id) => taxes.some((tax) => tax.company === id));
  return taxes.filter((tax) => tax.company === company).map((tax) => tax.id);
}

function fillPrices(values: Values, product: PriceBookProduct, book: PriceBook): void {
  if (values.price_unit !== undefined && values.technical_price_unit !== undefined) return;
  values.technical_price_unit = computeUnitPrice(values, product, book);
  values.price_unit ??= values.technical_price_unit;
}

function checkDisplay(values: Values, isNew: boolean): void {
  if (isSet(values.display_type)) {
    if (isSet(values.product_id) || Number(values.price_unit || 0) !== 0) throw createPricedSectionError();
    if (isNew) Object.assign(values, { product_uom_qty: 0, product_uom_id: false, product_id: false });
  }
}
