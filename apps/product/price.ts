import { convertAmount, type ExchangeRates, roundTo } from '../../src/engine/value/money.ts';

/** A pricelist rule. Amounts are in the pricelist's currency. */
export interface PriceRule {
  pricelist_id: number;
  applied_on: string;
  categ_id: number | null;
  product_tmpl_id: number | null;
  product_id: number | null;
  min_quantity: number | null;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  date_start: string | null;
  date_end: string | null;
  compute_price: string;
  fixed_price: number | null;
  percent_price: number | null;
  base: string;
  base_pricelist_id: number | null;
  price_discount: number | null;
  price_round: number | null;
  price_surcharge: number | null;
  price_min_margin: number | null;
  price_max_margin: number | null;
}

export interface PricedProduct {
  id: number;
  product_tmpl_id: number;
  categories: number[];
  list_price: number;
  list_currency: number | null;
  standard_price: number;
  cost_currency: number | null;
}

interface PriceQuery {
  pricelist: number | null;
  currency: number | null;
  quantity: number;
  /** Size of the line's unit of measure, in the product's units. Prices are rounded per unit of the line. */
  unitSize: number;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  date: string;
  rates: ExchangeRates;
  currencies: ReadonlyMap<number, number>;
}

/**
 * Computes the price of one unit of the product in the currency of `getPriceCurrency`. The first matching rule applies:
 * specific rules before general ones, and larger minimum quantities first.
 * @param rules the rules of all relevant pricelists, in the default order of their model
 */
export function computePrice(
  product: PricedProduct,
  sale: PriceQuery,
  rules: PriceRule[],
  depth = 0,
): number {
  const rule = rules.find((rule) => matchesRule(rule, product, sale));
  if (!rule) return convertListPrice(product, sale);
  if (rule.compute_price === 'fixed') return rule.fixed_price ?? 0;
  const base = computeBasePrice(rule, product, sale, rules, depth);
  if (rule.compute_price === 'percentage') return base * (1 - (rule.percent_price ?? 0) / 100);
  return applyFormula(rule, base, sale.unitSize);
}

export const getPriceCurrency = ({ pricelist, currency, currencies }: PriceQuery): number | null =>
  pricelist === null ? currency : (currencies.get(pricelist) ?? currency);

const convertListPrice = (
  { list_price: price, list_currency: currency }: PricedProduct,
  sale: PriceQuery,
): number => convertAmount(price, currency, getPriceCurrency(sale), sale.rates);

function matchesRule(
  rule: PriceRule,
  product: PricedProduct,
  { pricelist, quantity, date }: PriceQuery,
): boolean {
  if (rule.pricelist_id !== pricelist) return false;
  // Without a minimum, the rule also applies to returns, whose quantity is negative.
  if (rule.min_quantity && quantity < rule.min_quantity) return false;
  if ((rule.date_start && date < rule.date_start) || (rule.date_end && date > rule.date_end)) return false;
  if (rule.applied_on === '0_product_variant') return rule.product_id === product.id;
  if (rule.applied_on === '1_product') return rule.product_tmpl_id === product.product_tmpl_id;
  if (rule.applied_on === '2_product_category')
    return rule.categ_id !== null && product.categories.includes(rule.categ_id);
  return true;
}

/** Maximum depth of pricelists that build on each other. Circular pricelists fall back to the sales price. */
const MAX_PRICELIST_DEPTH = 8;

function computeBasePrice(
  rule: PriceRule,
  product: PricedProduct,
  sale: PriceQuery,
  rules: PriceRule[],
  depth: number,
): number {
  if (rule.base === 'standard_price')
    return convertAmount(product.standard_price, product.cost_currency, getPriceCurrency(sale), sale.rates);
  if (rule.base !== 'pricelist' || rule.base_pricelist_id === null || depth >= MAX_PRICELIST_DEPTH)
    return convertListPrice(product, sale);
  const other = { ...sale, pricelist: rule.base_pricelist_id };
  const price = computePrice(product, other, rules, depth + 1);
  return convertAmount(price, getPriceCurrency(other), getPriceCurrency(sale), sale.rates);
}

/** Applies the discount, rounding and fee, and then the margins, so that the margins always hold. */
function applyFormula(rule: PriceRule, base: number, unitSize: number): number {
  let price = base * (1 - (rule.price_discount ?? 0) / 100);
  if (rule.price_round) price = roundTo(price * unitSize, rule.price_round) / unitSize;
  price += rule.price_surcharge ?? 0;
  if (rule.price_min_margin) price = Math.max(price, base + rule.price_min_margin);
  if (rule.price_max_margin) price = Math.min(price, base + rule.price_max_margin);
  return price;
}
