import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { type CsvError, type Options, parse } from 'csv-parse';
import { AppError, errors } from '../../../src/errors.ts';
import {
  type ContactRow,
  MAX_CONTACT_PROPERTIES,
  MAX_PROPERTY_NAME_CHARS,
  parseContact,
} from './contact-input.ts';
import { parseCsvCell } from './csv-cell.ts';

const MAX_CSV_BYTES = 256 * 1024 * 1024;
const MAX_CSV_ROWS = 200_000;
const MAX_CSV_ROW_BYTES = 64 * 1024;

export type CsvLine = { line: number } & ({ contact: ContactRow } | { fault: string });

/** Built-in columns, by lower-case name without spaces, dashes and underscores. */
const CONTACT_COLUMNS: Record<string, string> = {
  email: 'email',
  emailaddress: 'email',
  mail: 'email',
  firstname: 'firstName',
  lastname: 'lastName',
  subscribed: 'subscribed',
};
const IGNORED_COLUMNS = new Set(['id', 'unsubscribereason', 'createdat', 'updatedat', 'contactbookid']);

interface Columns {
  fields: Record<string, number>;
  properties: [name: string, at: number][];
}

/**
 * Parses a CSV file (RFC 4180; UTF-8; comma, semicolon or tab) one contact at a time. The first line names the columns:
 * `email`, optionally `firstName`, `lastName` and `subscribed`, and properties.
 * @param names column names that replace those in the first line; a column with an empty name is ignored
 * @throws BAD_REQUEST if there is no email column, or the file or a row is too large
 */
export async function* parseContactsCsv(
  source: AsyncIterable<Uint8Array | string>,
  names?: readonly string[],
): AsyncGenerator<CsvLine> {
  const file = limitSize(source);
  const head = await readFirstLine(file);
  const faults: CsvLine[] = [];
  const parser = parse({
    ...CSV_OPTIONS,
    delimiter: detectDelimiter(head),
    on_skip: (error) => {
      // Destroys the parser, which would otherwise drop the rest of its input.
      if (error?.code === 'CSV_MAX_RECORD_SIZE') parser.destroy(createRowTooLongError(getLineNumber(error)));
      else faults.push(buildLineError(error));
    },
  });
  // A file error destroys the parser, which rethrows it to the reader.
  const feeding = pipeline(resumeStream(head, file), parser).catch(() => undefined);
  let columns: Columns | null = null;
  let rows = 0;
  let lines = 0;
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedRecord>) {
      if (++lines % LINES_PER_YIELD === 0) await turn();
      yield* faults.splice(0);
      if (!columns) columns = parseColumns(names ?? record);
      else if (++rows > MAX_CSV_ROWS)
        throw errors.badRequest(`The file may have at most ${MAX_CSV_ROWS} rows.`);
      else yield parseContactLine(record, columns, info.lines);
    }
    yield* faults.splice(0);
  } finally {
    parser.destroy();
    await feeding;
  }
  if (!columns) throw errors.badRequest(NO_HEADER_ERROR);
}

interface ParsedRecord {
  record: string[];
  info: { lines: number };
}

const CSV_OPTIONS: Options = {
  bom: true,
  info: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
  skip_records_with_error: true,
  max_record_size: MAX_CSV_ROW_BYTES,
};

/** Maximum bytes to parse, and lines to read, before yielding to the event loop. */
const CHUNK_BYTES = 32 * 1024;
const LINES_PER_YIELD = 500;

const NO_HEADER_ERROR = 'The first line must contain the column names, including email.';

async function* limitSize(source: AsyncIterable<Uint8Array | string>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const block of source) {
    const chunk = Buffer.from(block as string);
    size += chunk.length;
    if (size > MAX_CSV_BYTES) throw errors.badRequest(`The file is larger than ${MAX_CSV_BYTES} bytes.`);
    for (let start = 0; start < chunk.length; start += CHUNK_BYTES) {
      yield chunk.subarray(start, start + CHUNK_BYTES);
      await turn();
    }
  }
}

async function readFirstLine(file: AsyncGenerator<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  while (size < MAX_CSV_ROW_BYTES && !chunks.at(-1)?.includes(10)) {
    const { value, done } = await file.next();
    if (done) break;
    chunks.push(value);
    size += value.length;
  }
  return Buffer.concat(chunks);
}

async function* resumeStream(head: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield head;
    yield* rest;
  } finally {
    // Closes the file if the reader stops early.
    await rest.return(undefined);
  }
}

function detectDelimiter(head: Buffer): string {
  const [line = ''] = head.toString('utf8').split(/[\r\n]/, 1);
  const counts = [',', ';', '\t'].map((item) => [item, line.split(item).length] as const);
  return counts.reduce((best, count) => (count[1] > best[1] ? count : best))[0];
}

function parseColumns(names: readonly string[]): Columns {
  const columns: Columns = { fields: {}, properties: [] };
  for (const [index, variable] of names.entries()) {
    const name = variable.trim();
    const key = name.toLowerCase().replace(/[\s_-]+/g, '');
    const column = Object.hasOwn(CONTACT_COLUMNS, key) ? CONTACT_COLUMNS[key]! : null;
    if (column) columns.fields[column] ??= index;
    else if (name && !IGNORED_COLUMNS.has(key))
      columns.properties.push([name.slice(0, MAX_PROPERTY_NAME_CHARS), index]);
  }
  if (columns.fields.email === undefined) throw errors.badRequest(NO_HEADER_ERROR);
  if (columns.properties.length > MAX_CONTACT_PROPERTIES)
    throw errors.badRequest(
      `The file may have at most ${MAX_CONTACT_PROPERTIES} columns in addition to the email and name columns.`,
    );
  return columns;
}

function parseContactLine(record: string[], { fields, properties }: Columns, line: number): CsvLine {
  if (record.some((cell) => cell.includes('\ufffd'))) return { line, fault: 'The text is not UTF-8.' };
  const cell = (column: number | undefined) =>
    column === undefined ? '' : parseCsvCell(record[column] ?? '').trim();
  try {
    const contact = parseContact({
      email: cell(fields.email),
      firstName: cell(fields.firstName) || null,
      lastName: cell(fields.lastName) || null,
      subscribed: parseYesNo(cell(fields.subscribed)),
      properties: Object.fromEntries(
        properties.map(([name, column]) => [name, cell(column)]).filter(([, text]) => text),
      ),
    });
    return { line, contact };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { line, fault: error.message };
  }
}

function parseYesNo(text: string): boolean | null {
  if (text === '') return null;
  if (/^(?:true|t|yes|y|1)$/i.test(text)) return true;
  if (/^(?:false|f|no|n|0)$/i.test(text)) return false;
  throw errors.badRequest(`subscribed: must be true or false, not ${JSON.stringify(text.slice(0, 40))}.`);
}

const createRowTooLongError = (line: number): AppError =>
  errors.badRequest(
    `The row at line ${line} is larger than ${MAX_CSV_ROW_BYTES} bytes. Check for an unclosed quotation ` +
      'mark before it.',
  );

const getLineNumber = (error: CsvError | undefined): number =>
  Number((error as { lines?: number } | undefined)?.lines ?? 0);

const buildLineError = (error: CsvError | undefined): CsvLine => ({
  line: getLineNumber(error),
  fault: `The line cannot be read: ${error?.code ?? 'unknown'}.`,
});
