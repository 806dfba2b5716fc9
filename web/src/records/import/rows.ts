import { type CsvFile, cellsOf, plainCell } from '../../ui/csv-file.ts';

/** Rows of a file that are imported together, all or none, with the line that each begins at. */
export interface Part {
  rows: string[][];
  lines: number[];
}

/** Rows of one part, and about so many characters. */
const ROWS = 1_000;
const CHARACTERS = 400_000;

/** The columns of a file that are something, in parts. Pure. */
export function partsOf({ records, delimiter }: CsvFile, columns: readonly string[], most = ROWS): Part[] {
  const used = columns.flatMap((path, at) => (path === '' ? [] : [at]));
  const parts: Part[] = [];
  let length = 0;
  for (const { text, line } of records) {
    let part = parts.at(-1);
    if (!part || part.rows.length >= most || length + text.length > CHARACTERS) {
      part = { rows: [], lines: [] };
      parts.push(part);
      length = 0;
    }
    const cells = cellsOf(text, delimiter);
    part.rows.push(used.map((at) => plainCell(cells[at] ?? '').trim()));
    part.lines.push(line);
    length += text.length;
  }
  return parts;
}
