import { roundTo } from '../../src/engine/value/money.ts';

export interface LineTax {
  amount: number;
  /** `percent` (of the price), `division` (percent of the price including tax) or `fixed` (amount per unit). */
  amount_type: string;
  price_include: boolean;
}

export interface PricedLine {
  product_uom_qty: number;
  price_unit: number;
  /** In percent. */
  discount: number;
  /** In the order they are applied. */
  taxes: LineTax[];
}

interface LineAmounts {
  price_subtotal: number;
  price_tax: number;
  price_total: number;
}

/**
 * Computes a line's amounts, rounding each tax separately. If the price includes taxes, the total matches the entered
 * price exactly. Otherwise, the subtotal does.
 * @param step smallest unit of the currency, such as 0.01
 */
export function computeLineAmounts(line: PricedLine, step: number): LineAmounts {
  const { product_uom_qty: quantity, taxes } = line;
  const gross = line.price_unit * (1 - line.discount / 100) * quantity;
  const includedTaxes = taxes.filter((tax) => tax.price_include);
  const net = computeNet(gross, quantity, includedTaxes);
  const includedTax = sum(includedTaxes.map((tax) => roundTo(computeTax(tax, net, gross, quantity), step)));
  const addedTax = sum(
    taxes
      .filter((tax) => !tax.price_include)
      .map((tax) => roundTo(computeTax(tax, net, null, quantity), step)),
  );
  const subtotal = roundTo(roundTo(gross, step) - includedTax, step);
  const tax = roundTo(includedTax + addedTax, step);
  return { price_subtotal: subtotal, price_tax: tax, price_total: roundTo(subtotal + tax, step) };
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

function computeNet(gross: number, quantity: number, includedTaxes: LineTax[]): number {
  const fixedTax = sum(
    includedTaxes.filter((tax) => tax.amount_type === 'fixed').map((tax) => tax.amount * quantity),
  );
  const percent = sum(includedTaxes.filter((tax) => tax.amount_type === 'percent').map((tax) => tax.amount));
  const division = sum(
    includedTaxes.filter((tax) => tax.amount_type === 'division').map((tax) => tax.amount),
  );
  return ((gross - fixedTax) * (1 - division / 100)) / (1 + percent / 100);
}

/** @param gross the price including the tax, or null if the tax is added to the price */
function computeTax(tax: LineTax, net: number, gross: number | null, quantity: number): number {
  if (tax.amount_type === 'fixed') return tax.amount * quantity;
  if (tax.amount_type === 'percent') return (net * tax.amount) / 100;
  return gross === null ? net / (1 - tax.amount / 100) - net : (gross * tax.amount) / 100;
}
