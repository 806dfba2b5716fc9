import { roundTo } from './round.ts';

/** A rule of a pricelist; amounts in the pricelist's currency. */
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
  price_markup: number | null;
  price_round: number | null;
  price_surcharge: number | null;
  price_min_margin: number | null;
  price_max_margin: number | null;
}

/** What is priced; prices in the company's currency. */
export interface Priced {
  id: number;
  product_tmpl_id: number;
  /** Its category and those above it. */
  categories: number[];
  list_price: number;
  standard_price: number;
}

export interface Sale {
  pricelist: number | null;
  quantity: number;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  date: string;
  /** Units of each pricelist's currency for one of the company's. */
  rates: ReadonlyMap<number, number>;
}

/**
 * The price of one, in the pricelist's currency. The first rule that fits decides: narrower before wider, greater
 * quantities before smaller ones.
 * @param rules of all pricelists that may be asked, in the order of their model
 */
export function priceOf(product: Priced, sale: Sale, rules: PriceRule[], depth = 0): number {
  const rule = rules.find((each) => fits(each, product, sale));
  if (!rule) return product.list_price * rateOf(sale);
  if (rule.compute_price === 'fixed') return rule.fixed_price ?? 0;
  const base = basePrice(rule, product, sale, rules, depth);
  if (rule.compute_price === 'percentage') return base * (1 - (rule.percent_price ?? 0) / 100);
  return formula(rule, base);
}

/** Without a pricelist prices are in the company's currency. */
const rateOf = ({ pricelist, rates }: Sale): number => (pricelist === null ? 1 : (rates.get(pricelist) ?? 1));

function fits(rule: PriceRule, product: Priced, { pricelist, quantity, date }: Sale): boolean {
  if (rule.pricelist_id !== pricelist || quantity < (rule.min_quantity ?? 0)) return false;
  if ((rule.date_start && date < rule.date_start) || (rule.date_end && date > rule.date_end)) return false;
  if (rule.applied_on === '0_product_variant') return rule.product_id === product.id;
  if (rule.applied_on === '1_product') return rule.product_tmpl_id === product.product_tmpl_id;
  if (rule.applied_on === '2_product_category')
    return rule.categ_id !== null && product.categories.includes(rule.categ_id);
  return true;
}

/** Pricelists that build on each other in a circle end at the sales price. */
const DEEPEST = 8;

function basePrice(rule: PriceRule, product: Priced, sale: Sale, rules: PriceRule[], depth: number): number {
  if (rule.base === 'standard_price') return product.standard_price * rateOf(sale);
  if (rule.base !== 'pricelist' || rule.base_pricelist_id === null || depth >= DEEPEST)
    return product.list_price * rateOf(sale);
  const other = { ...sale, pricelist: rule.base_pricelist_id };
  return (priceOf(product, other, rules, depth + 1) / rateOf(other)) * rateOf(sale);
}

/** Discount (or markup on the cost), rounding, fee, and last the margins that hold in any case. */
function formula(rule: PriceRule, base: number): number {
  const discount = rule.base === 'standard_price' ? -(rule.price_markup ?? 0) : (rule.price_discount ?? 0);
  let price = base * (1 - discount / 100);
  if (rule.price_round) price = roundTo(price, rule.price_round);
  price += rule.price_surcharge ?? 0;
  if (rule.price_min_margin) price = Math.max(price, base + rule.price_min_margin);
  if (rule.price_max_margin) price = Math.min(price, base + rule.price_max_margin);
  return price;
}
