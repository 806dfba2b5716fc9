import { type CsvFile, parseCells, unguardCell } from '../../ui/csv-file.ts';

/** Rows that are imported atomically, with the line number of each. */
export interface ImportPart {
  rows: string[][];
  lines: number[];
}

/** Maximum rows and approximate maximum characters per part. */
const MAX_PART_ROWS = 1_000;
const MAX_PART_CHARS = 400_000;

export function splitParts(
  { records, delimiter }: CsvFile,
  columns: readonly string[],
  maxRows = MAX_PART_ROWS,
): ImportPart[] {
  const used = columns.flatMap((path, index) => (path === '' ? [] : [index]));
  const parts: ImportPart[] = [];
  let length = 0;
  for (const { text, line } of records) {
    let part = parts.at(-1);
    if (!part || part.rows.length >= maxRows || length + text.length > MAX_PART_CHARS) {
      part = { rows: [], lines: [] };
      parts.push(part);
      length = 0;
    }
    const cells = parseCells(text, delimiter);
    part.rows.push(used.map((index) => unguardCell(cells[index] ?? '').trim()));
    part.lines.push(line);
    length += text.length;
  }
  return parts;
}
