import { limits } from '../../limits.ts';

/** The largest number a column of whole numbers holds, and most ids can be. */
export const INT_MAX = 2_147_483_647;

/** The largest id in a column of 64 bits. */
export const WIDE_MAX = Number.MAX_SAFE_INTEGER;

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** The number a text says, blanks around it aside; NaN when it says none or is over the limit of characters. Pure. */
export function numberOf(text: string): number {
  return text.length <= limits.call.numberLength && DECIMAL.test(text.trim()) ? Number(text) : Number.NaN;
}
