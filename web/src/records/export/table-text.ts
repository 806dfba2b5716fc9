import { csvCell } from '../../ui/csv-file.ts';

/** Rows as the server exports them, as lines of a CSV file. Pure. */
export const csvLines = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.map((cell) => csvCell(cellText(cell))).join(',')}\r\n`).join('');

const cellText = (cell: unknown): string =>
  cell === null || cell === undefined ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
