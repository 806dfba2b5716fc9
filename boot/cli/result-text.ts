/**
 * Formats a command's result: a list of records as a table, an empty list as `none`, a single record with one line per
 * value, and a text with its line breaks.
 * @param width columns of the terminal; null disables wrapping
 */
export function formatCommandResult(result: unknown, width: number | null): string {
  if (Array.isArray(result)) return result.length === 0 ? 'none\n' : formatTable(result, width);
  if (typeof result === 'string') return formatCommandResult(result.split('\n'), width);
  if (!isRecord(result)) return `${formatCell(result)}\n`;
  const entries = Object.entries(result);
  const longest = Math.max(0, ...entries.map(([key]) => key.length));
  return entries.map(([key, value]) => `${`${key}:`.padEnd(longest + 2)}${formatCell(value)}\n`).join('');
}

type ResultRow = Record<string, unknown>;

const isRecord = (value: unknown): value is ResultRow => typeof value === 'object' && value !== null;

const COLUMN_GAP = 2;
/** Minimum width of a text column, unless its title is shorter. On a narrower terminal, lines wrap instead. */
const MIN_COLUMN_WIDTH = 8;

function formatTable(rows: unknown[], width: number | null): string {
  const [first] = rows;
  if (!isRecord(first)) return rows.map((row) => `${formatCell(row)}\n`).join('');
  const keys = Object.keys(first);
  const titles = keys.map((key) => key.replaceAll('_', ' ').toUpperCase());
  const cells = rows.map((row) => keys.map((key) => formatCell((row as ResultRow)[key])));
  const widest = keys.map((_, index) => Math.max(...[titles, ...cells].map((line) => line[index]!.length)));
  const widths = width === null ? widest : fitWidths(widest, titles, width);
  return [titles, ...cells].flatMap((line) => buildLines(line, widths)).join('');
}

function buildLines(cells: string[], widths: number[]): string[] {
  const columns = cells.map((text, index) => wrapText(text, widths[index]!));
  const height = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => {
    const parts = columns.map((lines, index) => (lines[line] ?? '').padEnd(widths[index]! + COLUMN_GAP));
    return `${parts.join('').trimEnd()}\n`;
  });
}

function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest.length > width) {
    const space = rest.lastIndexOf(' ', width);
    const end = space > 0 ? space : width;
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

function fitWidths(widest: number[], titles: string[], width: number): number[] {
  const widths = [...widest];
  const minWidths = titles.map((title, index) =>
    Math.min(widest[index]!, Math.max(title.length, MIN_COLUMN_WIDTH)),
  );
  const getRemainingWidth = () =>
    width - widths.reduce((sum, width) => sum + width, COLUMN_GAP * (widths.length - 1));
  while (getRemainingWidth() < 0) {
    const spare = widths.map((width, index) => (width > minWidths[index]! ? width : 0));
    const widestSpare = Math.max(...spare);
    if (widestSpare === 0) break;
    widths[spare.indexOf(widestSpare)]! -= 1;
  }
  return widths;
}

/** Formats a value on one line without control characters. */
function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(formatCell).join(', ') || '-';
  const text =
    value instanceof Date ? value.toISOString() : isRecord(value) ? JSON.stringify(value) : String(value);
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
