import type { CellFormat, DecimalMark } from '../model/principal.ts';
import { parseDecimal } from '../value/number.ts';

const buildNumberPattern = (decimal: string, thousands: string): RegExp =>
  new RegExp(
    `^([+-]?)(\\d+|[1-9]\\d{0,2}(?:([${thousands} \\u00a0\\u202f'’])\\d{3}(?:\\3\\d{3})*))(?:${decimal}(\\d+))?$`,
  );

const NUMBER_PATTERNS: Record<DecimalMark, RegExp> = {
  '.': buildNumberPattern('\\.', ','),
  ',': buildNumberPattern(',', '.'),
};

/** Parses a number, which may have thousands separators if the decimal separator is known. Returns NaN if invalid. */
export function parseCellNumber(text: string, decimalSeparator: CellFormat['decimalSeparator']): number {
  if (!decimalSeparator) return parseDecimal(text);
  const [, sign, digits, , decimals = '0'] = NUMBER_PATTERNS[decimalSeparator].exec(text.trim()) ?? [];
  return digits === undefined ? Number.NaN : parseDecimal(`${sign}${digits.replace(/\D/g, '')}.${decimals}`);
}
