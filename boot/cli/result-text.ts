/**
 * The result of a command for people: a table for a list of records, `none` for an empty one, a line for each value of
 * a single record. Pure.
 * @param width columns of the terminal; null where there is none, and then no cell is wrapped
 */
export function resultLines(result: unknown, width: number | null): string {
  if (Array.isArray(result)) return result.length === 0 ? 'none\n' : table(result, width);
  if (!isRecord(result)) return `${cell(result)}\n`;
  const entries = Object.entries(result);
  const longest = Math.max(0, ...entries.map(([key]) => key.length));
  return entries.map(([key, value]) => `${`${key}:`.padEnd(longest + 2)}${cell(value)}\n`).join('');
}

type Row = Record<string, unknown>;

const isRecord = (value: unknown): value is Row => typeof value === 'object' && value !== null;

const GAP = 2;
/** A column of text is never narrower than this, or its title: then lines of a small terminal wrap. */
const NARROWEST = 8;

function table(rows: unknown[], width: number | null): string {
  const [first] = rows;
  if (!isRecord(first)) return rows.map((row) => `${cell(row)}\n`).join('');
  const keys = Object.keys(first);
  const titles = keys.map((key) => key.replaceAll('_', ' ').toUpperCase());
  const cells = rows.map((row) => keys.map((key) => cell((row as Row)[key])));
  const widest = keys.map((_, at) => Math.max(...[titles, ...cells].map((line) => line[at]!.length)));
  const widths = width === null ? widest : fitted(widest, titles, width);
  return [titles, ...cells].flatMap((line) => linesOf(line, widths)).join('');
}

/** A row takes as many lines as its longest cell. */
function linesOf(cells: string[], widths: number[]): string[] {
  const columns = cells.map((text, at) => wrapped(text, widths[at]!));
  const height = Math.max(...columns.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => {
    const parts = columns.map((lines, at) => (lines[line] ?? '').padEnd(widths[at]! + GAP));
    return `${parts.join('').trimEnd()}\n`;
  });
}

/** Breaks between words, and within one that is longer than a line. */
function wrapped(text: string, width: number): string[] {
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

/** Takes from the widest column until the line fits. */
function fitted(widest: number[], titles: string[], width: number): number[] {
  const widths = [...widest];
  const least = titles.map((title, at) => Math.min(widest[at]!, Math.max(title.length, NARROWEST)));
  const room = () => width - widths.reduce((sum, each) => sum + each, GAP * (widths.length - 1));
  while (room() < 0) {
    const spare = widths.map((each, at) => (each > least[at]! ? each : 0));
    const most = Math.max(...spare);
    if (most === 0) break;
    widths[spare.indexOf(most)]! -= 1;
  }
  return widths;
}

/** One line without what would move the cursor. */
function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value)) return value.map(cell).join(', ') || '-';
  const text =
    value instanceof Date ? value.toISOString() : isRecord(value) ? JSON.stringify(value) : String(value);
  return text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
}
