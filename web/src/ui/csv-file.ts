// Reads the column names of a CSV file, and splits it into pieces that each start with the header. The server
// interprets the cells.

interface CsvPiece {
  csv: string;
  rows: number;
  /** Offset to add to the line numbers that the server reports for the piece. */
  lines: number;
}

export interface CsvFile {
  columns: string[];
  example: string[];
  rows: number;
  delimiter: string;
  header: CsvRecord;
  records: CsvRecord[];
}

/** A row, with its line number in the file. */
interface CsvRecord {
  text: string;
  line: number;
}

/**
 * Clears a file input on click, because browsers report no change if the user selects the same file again, such as a
 * corrected one.
 */
export const clearFileInput = ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
  currentTarget.value = '';
};

/** Maximum number of characters per piece. */
const PIECE_CHARS = 400_000;

/** Returns null if the file is empty. */
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

/** Restores empty lines between rows, so that line numbers remain correct. */
const restoreBlankLines = (rows: CsvRecord[]): (CsvRecord | string)[] =>
  rows.flatMap((row, index) => {
    const before = rows[index - 1];
    const gap = before ? row.line - before.line - countLines(before.text) : 0;
    return [...Array.from({ length: gap }, () => ''), row];
  });

const countLines = (text: string): number => text.split(/\r\n|\n|\r/).length;

function detectDelimiter(line: string): string {
  const counts = [',', ';', '\t'].map((item) => [item, line.split(item).length] as const);
  return counts.reduce((best, count) => (count[1] > best[1] ? count : best))[0];
}

/** Returns the rows that are not empty. Quoted cells can contain line breaks. */
function parseRecords(text: string, delimiter: string): CsvRecord[] {
  const records: CsvRecord[] = [];
  let begin = 0;
  let line = 1;
  let beginLine = 1;
  let isQuoted = false;
  let isCellStart = true;
  const end = (index: number) => {
    const row = text.slice(begin, index);
    if (row.trim() !== '') records.push({ text: row, line: beginLine });
  };
  for (let index = 0; index < text.length; index++) {
    const char = text[index]!;
    const isBreak = char === '\n' || (char === '\r' && text[index + 1] !== '\n');
    if (isBreak) line++;
    if (isQuoted) {
      if (char === '"' && text[index + 1] === '"') index++;
      else if (char === '"') isQuoted = false;
    } else if (char === '"' && isCellStart) isQuoted = true;
    else if (isBreak) {
      end(char === '\n' && text[index - 1] === '\r' ? index - 1 : index);
      begin = index + 1;
      beginLine = line;
      isCellStart = true;
      continue;
    }
    isCellStart = !isQuoted && char === delimiter;
  }
  end(text.length);
  return records;
}

export function parseCells(row: string, delimiter: string): string[] {
  const cells: string[] = [];
  let cell = '';
  let isQuoted = false;
  for (let index = 0; index < row.length; index++) {
    const char = row[index]!;
    if (isQuoted && char === '"' && row[index + 1] === '"') {
      cell += char;
      index++;
    } else if (isQuoted && char === '"') isQuoted = false;
    else if (char === '"' && cell === '' && !isQuoted) isQuoted = true;
    else if (char === delimiter && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else cell += char;
  }
  return [...cells, cell];
}

/** Cells that a spreadsheet would evaluate as a formula (OWASP, "CSV Injection"). */
const FORMULA = /^'*[=+\-@\t\r]/;
const GUARDED_FORMULA = /^'+[=+\-@\t\r]/;

/** Formats a cell so that a spreadsheet does not evaluate it as a formula. Numbers stay unchanged. */
export function formatCsvCell(value: string): string {
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(value);
  const safe = FORMULA.test(value) && !isNumber ? `'${value}` : value;
  return /[",;\t\r\n]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Removes the apostrophe that prevents evaluation as a formula. */
export const unguardCell = (cell: string): string => (GUARDED_FORMULA.test(cell) ? cell.slice(1) : cell);
