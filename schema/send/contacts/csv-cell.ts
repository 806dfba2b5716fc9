/** What a spreadsheet would take for a formula when a cell begins with it (OWASP, "CSV Injection"). */
const FORMULA = /^'*[=+\-@\t\r]/;
const GUARDED = /^'+[=+\-@\t\r]/;

/** A cell of an export: no formula, in quotes where it must be. */
export function toCsvCell(value: string): string {
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that an export has guarded. */
export const parseCsvCell = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);
