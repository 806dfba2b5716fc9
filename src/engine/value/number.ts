import { limits } from '../../limits.ts';

/** The largest number a column of whole numbers holds, and most ids can be. */
export const INT_MAX = 2_147_483_647;

/** The largest id in a column of 64 bits. */
export const WIDE_MAX = Number.MAX_SAFE_INTEGER;

const DECIMAL_PATTERN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The number a text says, blanks around it aside; NaN when it says none or is over the limit of characters. Pure. */
export function parseDecimal(text: string): number {
  return text.length <= limits.call.numberLength && DECIMAL_PATTERN.test(text.trim())
    ? Number(text)
    : Number.NaN;
}

/**
 * The number with that many decimals, half away from zero, as it is written: 10.555 becomes 10.56, although its double
 * is a little less. Pure.
 */
export function roundToPlaces(value: number, places: number): number {
  const [digits, power = '0'] = String(Math.abs(value)).split('e') as [string, string?];
  const shifted = Math.round(Number(`${digits}e${Number(power) + places}`));
  // Beyond that a double has no decimals.
  if (!Number.isSafeInteger(shifted)) return value;
  // There is no negative zero.
  return Math.sign(value) * Number(`${shifted}e-${places}`) + 0;
}
