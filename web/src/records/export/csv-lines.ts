import { formatCsvCell } from '../../ui/csv-file.ts';

export const toCsvLines = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((row) => `${row.map((cell) => formatCsvCell(formatCell(cell))).join(',')}\r\n`).join('');

const formatCell = (cell: unknown): string =>
  cell === null || cell === undefined ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
