// A CSV file as the browser sees it: enough to name its columns, and to send it in pieces that each begin with its
// first line. What its cells mean, the server decides.

/** Part of a file that is sent at once. */
export interface CsvPiece {
  csv: string;
  rows: number;
  /** What to add to a line number that the server says of the piece. */
  lines: number;
}

export interface CsvFile {
  columns: string[];
  /** Cells of the first row after the names. */
  example: string[];
  rows: number;
  /** Which separates the cells. */
  delimiter: string;
  header: CsvRecord;
  records: CsvRecord[];
}

/** A row as it stands in the file, and the line that it begins at. */
export interface CsvRecord {
  text: string;
  line: number;
}

/**
 * Forgets the file of an input that is pressed, as browsers do not tell of the same file chosen anew: whoever mends a
 * file chooses it again under its old name.
 */
export const clearFileInput = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
  currentTarget.value = '';
};

/** Characters of one piece. */
const PIECE_CHARS = 400_000;

/** Null for a file without a line. Pure. */
export function parseCsvFile(text: string): CsvFile | null {
  const [firstLine = ''] = text.trimStart().split(/[\r\n]/, 1);
  const delimiter = detectDelimiter(firstLine);
  const [header, ...records] = parseRecords(text, delimiter);
  if (!header) return null;
  return {
    columns: parseCells(header.text, delimiter).map((name) => name.trim()),
    example: records[0] ? parseCells(records[0].text, delimiter) : [],
    rows: records.length,
    delimiter,
    header,
    records,
  };
}

/** The file in pieces of about so many characters. Pure. */
export function splitCsv({ header, records }: CsvFile, size = PIECE_CHARS): CsvPiece[] {
  const pieces: CsvRecord[][] = [];
  let length = 0;
  for (const record of records) {
    if (pieces.length === 0 || length + record.text.length > size) {
      pieces.push([]);
      length = 0;
    }
    pieces.at(-1)!.push(record);
    length += record.text.length + 1;
  }
  const head = countLines(header.text);
  return pieces.map((rows) => ({
    csv: [header, ...restoreBlankLines(rows)]
      .map((row) => (typeof row === 'string' ? row : row.text))
      .join('\n'),
    rows: rows.length,
    lines: rows[0]!.line - head - 1,
  }));
}

/** With the empty lines that stood between rows, so that lines keep their distance. */
const restoreBlankLines = (rows: CsvRecord[]): (CsvRecord | string)[] =>
  rows.flatMap((row, at) => {
    const before = rows[at - 1];
    const gap = before ? row.line - before.line - countLines(before.text) : 0;
    return [...Array.from({ length: gap }, () => ''), row];
  });

const countLines = (text: string): number => text.split(/\r\n|\n|\r/).length;

/** What a line has most of. */
function detectDelimiter(line: string): string {
  const counts = [',', ';', '\t'].map((each) => [each, line.split(each).length] as const);
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/** Rows that hold something; in quotes, a line may end without the row. */
function parseRecords(text: string, delimiter: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let begin = 0;
  let line = 1;
  let beginLine = 1;
  let isQuoted = false;
  let isCellStart = true;
  const end = (at: number) => {
    const row = text.slice(begin, at);
    if (row.trim() !== '') records.push({ text: row, line: beginLine });
  };
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    const isBreak = char === '\n' || (char === '\r' && text[at + 1] !== '\n');
    if (isBreak) line++;
    if (isQuoted) {
      if (char === '"' && text[at + 1] === '"') at++;
      else if (char === '"') isQuoted = false;
    } else if (char === '"' && isCellStart) isQuoted = true;
    else if (isBreak) {
      end(char === '\n' && text[at - 1] === '\r' ? at - 1 : at);
      begin = at + 1;
      beginLine = line;
      isCellStart = true;
      continue;
    }
    isCellStart = !isQuoted && char === delimiter;
  }
  end(text.length);
  return records;
}

/** Cells of a row. Pure. */
export function parseCells(row: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let at = 0; at < row.length; at++) {
    const char = row[at]!;
    if (isQuoted && char === '"' && row[at + 1] === '"') {
      cell += char;
      at++;
    } else if (isQuoted && char === '"') isQuoted = false;
    else if (char === '"' && cell === '' && !isQuoted) isQuoted = true;
    else if (char === delimiter && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += char;
  }
  return [...cells, cell];
}

/** What a spreadsheet would take for a formula when a cell begins with it (OWASP, "CSV Injection"). */
const FORMULA = /^'*[=+\-@\t\r]/;
const GUARDED_FORMULA = /^'+[=+\-@\t\r]/;

/** A cell of a file, which no spreadsheet runs; a number stays one. Pure. */
export function formatCsvCell(value: string): string {
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(value);
  const safe = FORMULA.test(value) && !isNumber ? `'${value}` : value;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text of a cell that was guarded so. Pure. */
export const unguardCell = (cell: string): string => (GUARDED_FORMULA.test(cell) ? cell.slice(1) : cell);
