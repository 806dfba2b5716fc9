/** Start of a cell that a spreadsheet would interpret as a formula (OWASP, "CSV Injection"). */
const FORMULA_PATTERN = /^'*[=+\-@\t\r]/;
const GUARDED_CELL_PATTERN = /^'+[=+\-@\t\r]/;

/** Prefixes formulas with an apostrophe, and quotes the cell if necessary. */
export function toCsvCell(value: string): string {
  const safe = FORMULA_PATTERN.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Removes the apostrophe that an export adds to formulas. */
export const parseCsvCell = (cell: string): string =>
  GUARDED_CELL_PATTERN.test(cell) ? cell.slice(1) : cell;
