const MAX_NUMBER_CHARS = 40;

/** Maximum value of an integer column, and maximum id in most tables. */
export const INT_MAX = 2_147_483_647;

/** Maximum id in a 64-bit column. A JavaScript number represents larger ids inexactly. */
export const WIDE_MAX = Number.MAX_SAFE_INTEGER;

const DECIMAL_PATTERN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Parses a number, ignoring surrounding spaces. Returns NaN if the text is invalid or too long. */
export function parseDecimal(text: string): number {
  return text.length <= MAX_NUMBER_CHARS && DECIMAL_PATTERN.test(text.trim()) ? Number(text) : Number.NaN;
}

/**
 * Rounds to a number of decimal places, half away from zero, based on the decimal notation: 10.555 becomes 10.56,
 * although its double is slightly less.
 */
export function roundToPlaces(value: number, places: number): number {
  const [digits, power = '0'] = String(Math.abs(value)).split('e') as [string, string?];
  const shifted = Math.round(Number(`${digits}e${Number(power) + places}`));
  // A larger double has no decimals.
  if (!Number.isSafeInteger(shifted)) return value;
  // Avoids negative zero.
  return Math.sign(value) * Number(`${shifted}e-${places}`) + 0;
}
