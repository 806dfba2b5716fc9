/** Units of each currency for one of the currency with rate 1, of one company on one day. */
export type ExchangeRates = ReadonlyMap<number, number>;

/**
 * An amount in another currency, not rounded: prices are rounded last. Its twin is `convertedSql`, which also looks up
 * the rates. A currency that is not known, or has no rate, counts as the one with rate 1.
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
 * The multiple of `step` (such as 0.01) that is nearest to `value`, halves away from zero. Digits beyond the 15th are
 * noise of the arithmetic: 1.005 is half-way, though stored as a little less. Its twin is `roundedSql`.
 */
export function roundTo(value: number, step: number): number {
  const steps = Number((Math.abs(value) / step).toPrecision(15));
  const rounded = Math.sign(value) * Math.round(steps) * step;
  return Number(rounded.toFixed(countDecimals(step))) || 0;
}

/** Digits after the point that multiples of `step` have. */
export function countDecimals(step: number): number {
  const [digits, power] = step.toExponential().split('e') as [string, string];
  return Math.max(0, (digits.split('.')[1]?.length ?? 0) - Number(power));
}
