/**
 * Exchange rates by currency id, for one company and one day. A rate is the number of units per unit of the currency
 * with rate 1.
 */
export type ExchangeRates = ReadonlyMap<number, number>;

/**
 * Converts an amount without rounding it, because prices are rounded last. Must match `buildConvertedSql`, which also
 * looks up the rates. A missing rate counts as 1.
 */
export function convertAmount(
  amount: number,
  from: number | null,
  to: number | null,
  rates: ExchangeRates,
): number {
  if (from === to || from === null || to === null) return amount;
  return (amount * (rates.get(to) ?? 1)) / (rates.get(from) ?? 1);
}

/**
 * Rounds to the nearest multiple of `step`, such as 0.01, with halves away from zero. Digits after the 15th are
 * floating-point noise: 1.005 counts as halfway, although its double is slightly less. Must match `buildRoundedSql`.
 */
export function roundTo(value: number, step: number): number {
  const steps = Number((Math.abs(value) / step).toPrecision(15));
  const rounded = Math.sign(value) * Math.round(steps) * step;
  return Number(rounded.toFixed(countDecimals(step))) || 0;
}

/** Counts the decimal places of multiples of `step`. */
export function countDecimals(step: number): number {
  const [digits, power] = step.toExponential().split('e') as [string, string];
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(power));
}
