import { roundTo } from '../../src/engine/value/money.ts';

export interface LineTax {
  amount: number;
  /** percent: of the price; fixed: for each unit; division: percent of the price with the tax. */
  amount_type: string;
  /** The price has the tax in it. */
  price_include: boolean;
}

export interface PricedLine {
  product_uom_qty: number;
  price_unit: number;
  /** Percent. */
  discount: number;
  /** In the order they are applied. */
  taxes: LineTax[];
}

export interface LineAmounts {
  price_subtotal: number;
  price_tax: number;
  price_total: number;
}

/**
 * Amounts of a line, each tax rounded for itself. With taxes in the price the total is what was asked for, to the last
 * cent; without, the subtotal is.
 * @param step the smallest amount of the currency, such as 0.01
 */
export function computeLineAmounts(line: PricedLine, step: number): LineAmounts {
  const { product_uom_qty: quantity, taxes } = line;
  const asked = line.price_unit * (1 - line.discount / 100) * quantity;
  const included = taxes.filter((tax) => tax.price_include);
  const net = computeNet(asked, quantity, included);
  const within = sum(included.map((tax) => roundTo(computeTax(tax, net, asked, quantity), step)));
  const added = sum(
    taxes
      .filter((tax) => !tax.price_include)
      .map((tax) => roundTo(computeTax(tax, net, null, quantity), step)),
  );
  const subtotal = roundTo(roundTo(asked, step) - within, step);
  const tax = roundTo(within + added, step);
  return { price_subtotal: subtotal, price_tax: tax, price_total: roundTo(subtotal + tax, step) };
}

const sum = (numbers: number[]): number => numbers.reduce((total, each) => total + each, 0);

/** The price without the taxes that are in it. */
function computeNet(asked: number, quantity: number, included: LineTax[]): number {
  const fixed = sum(
    included.filter((tax) => tax.amount_type === 'fixed').map((tax) => tax.amount * quantity),
  );
  const percent = sum(included.filter((tax) => tax.amount_type === 'percent').map((tax) => tax.amount));
  const division = sum(included.filter((tax) => tax.amount_type === 'division').map((tax) => tax.amount));
  return ((asked - fixed) * (1 - division / 100)) / (1 + percent / 100);
}

/** @param gross the price with the tax; null when the tax comes on top */
function computeTax(tax: LineTax, net: number, gross: number | null, quantity: number): number {
  if (tax.amount_type === 'fixed') return tax.amount * quantity;
  if (tax.amount_type === 'percent') return (net * tax.amount) / 100;
  return gross === null ? net / (1 - tax.amount / 100) - net : (gross * tax.amount) / 100;
}
