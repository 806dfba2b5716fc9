import type { DateOrder, DecimalSeparator } from './generated.ts';

/** How the numbers and dates of a file are written. Null if the user has not chosen and need not choose. */
export interface FileFormat {
  decimalSeparator: DecimalSeparator | null;
  dateOrder: DateOrder | null;
}

export const DEFAULT_FORMAT: FileFormat = { decimalSeparator: null, dateOrder: null };

/** Valid formats of the rows. Null if all formats give the rows the same values. */
export interface PossibleFormats {
  decimalSeparators: readonly DecimalSeparator[] | null;
  dateOrders: readonly DateOrder[] | null;
}

export const ALL_FORMATS: PossibleFormats = { decimalSeparators: null, dateOrders: null };

/** Returns the formats that are possible in two parts of a file. */
export const intersectFormats = (a: PossibleFormats, b: PossibleFormats): PossibleFormats => ({
  decimalSeparators: intersect(a.decimalSeparators, b.decimalSeparators),
  dateOrders: intersect(a.dateOrders, b.dateOrders),
});

const intersect = <Format>(
  a: readonly Format[] | null,
  b: readonly Format[] | null,
): readonly Format[] | null => (a && b ? a.filter((format) => b.includes(format)) : (a ?? b));

/** Completes the format with the formats that the file leaves no choice about. */
export const completeFormat = (format: FileFormat, possible: PossibleFormats): FileFormat => ({
  decimalSeparator: format.decimalSeparator ?? getOnly(possible.decimalSeparators),
  dateOrder: format.dateOrder ?? getOnly(possible.dateOrders),
});

const getOnly = <Format>(formats: readonly Format[] | null): Format | null =>
  formats?.length === 1 ? formats[0]! : null;

/** True if the rows differ between several formats, so that the user has to choose. */
export const isUndecided = (format: FileFormat, possible: PossibleFormats): boolean =>
  (format.decimalSeparator === null && (possible.decimalSeparators?.length ?? 0) > 1) ||
  (format.dateOrder === null && (possible.dateOrders?.length ?? 0) > 1);
