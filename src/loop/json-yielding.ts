import { yieldToOthers } from './yield.ts';

/** Characters processed between two checks of the clock. */
const PIECE_CHARS = 256 * 1024;

/**
 * Splits JSON text from PostgreSQL into pieces that end with a line feed. Line feeds separate the rows of a list and do
 * not occur in strings.
 */
export function* splitLines(json: string): Generator<string> {
  for (let from = 0; from < json.length; ) {
    const end = json.indexOf('\n', from + PIECE_CHARS);
    const to = end < 0 ? json.length : end + 1;
    yield json.slice(from, to);
    from = to;
  }
}

/**
 * Replaces text in a long JSON string, and yields to the event loop between pieces. Matches must not span lines.
 * @returns the pieces of the result
 */
export async function replaceYielding(json: string, replace: (part: string) => string): Promise<string[]> {
  if (json.length <= PIECE_CHARS) return [replace(json)];
  const pieces: string[] = [];
  for (const part of splitLines(json)) {
    const pause = yieldToOthers();
    if (pause) await pause;
    pieces.push(replace(part));
  }
  return pieces;
}

/** Encodes long JSON text as UTF-8, and yields to the event loop between pieces. Null for short text. */
export async function encodeLongText(pieces: readonly string[]): Promise<Buffer<ArrayBuffer> | null> {
  if (pieces.reduce((length, piece) => length + piece.length, 0) <= PIECE_CHARS) return null;
  const chunks: Buffer[] = [];
  for (const piece of pieces)
    for (const part of splitLines(piece)) {
      const pause = yieldToOthers();
      if (pause) await pause;
      chunks.push(Buffer.from(part));
    }
  return concatYielding(chunks);
}

async function concatYielding(chunks: readonly Buffer[]): Promise<Buffer<ArrayBuffer>> {
  const whole = Buffer.allocUnsafeSlow(chunks.reduce((bytes, chunk) => bytes + chunk.length, 0));
  let end = 0;
  for (const chunk of chunks) {
    const pause = yieldToOthers();
    if (pause) await pause;
    end += chunk.copy(whole, end);
  }
  return whole;
}

/** Parses JSON. Parses a long list of rows in pieces, and yields to the event loop in between. */
export async function parseJsonYielding(json: string): Promise<unknown> {
  if (json.length <= PIECE_CHARS || !json.startsWith('[') || !json.endsWith(']')) return JSON.parse(json);
  return (await parseRowsYielding(json)) ?? JSON.parse(json);
}

/** Null if a piece is not a list of complete rows, because its lines belong to a list within a row. */
async function parseRowsYielding(json: string): Promise<unknown[] | null> {
  const rows: unknown[] = [];
  let parsedRows = 1;
  for (const part of splitLines(json.slice(1, -1))) {
    const pause = yieldToOthers();
    if (pause) await pause;
    parsedRows += part.length;
    const list = parseList(part.trimEnd(), parsedRows === json.length - 1);
    if (!list) return null;
    for (const row of list) rows.push(row);
  }
  return rows;
}

/** @param isLast true for the last piece, which has no trailing comma */
function parseList(part: string, isLast: boolean): unknown[] | null {
  if (!isLast && !part.endsWith(',')) return null;
  try {
    const list = JSON.parse(`[${isLast ? part : part.slice(0, -1)}]`) as unknown[];
    return list.length > 0 ? list : null;
  } catch {
    return null;
  }
}

/** Minimum items of a list that is serialized in chunks. */
const MIN_LONG_ITEMS = 1_000;
const CHUNK_CHARS = 64 * 1024;

const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length >= MIN_LONG_ITEMS;

/**
 * Serializes a long list, or an object that contains one, as UTF-8 JSON, and yields to the event loop. Null for a short
 * value.
 */
export async function stringifyLongValue(value: unknown): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Buffer[] = [];
  let text = '';
  const add = (extra: string): Promise<void> | null => {
    text += extra;
    if (text.length < CHUNK_CHARS) return null;
    chunks.push(Buffer.from(text));
    text = '';
    return yieldToOthers();
  };
  const addList = async (list: unknown[]): Promise<void> => {
    let count = 0;
    for (let start = 0, sliceLength = 1; start < list.length; start += sliceLength) {
      // Estimates how many items fill a chunk, based on the previous items.
      if (start > 0)
        sliceLength = Math.max(1, Math.min(MIN_LONG_ITEMS, Math.floor((start * CHUNK_CHARS) / count)));
      const json = JSON.stringify(list.slice(start, start + sliceLength)).slice(1, -1);
      count += json.length;
      const pause = add(`${start === 0 ? '[' : ','}${json}`);
      if (pause) await pause;
    }
    add(']');
  };
  if (isLong(value)) await addList(value);
  else {
    const entries = getPlainMembers(value);
    if (!entries.some(([, member]) => isLong(member))) return null;
    let start = '{';
    for (const [name, member] of entries) {
      const json = isLong(member) ? '' : JSON.stringify(member);
      if (json === undefined) continue;
      add(`${start}${JSON.stringify(name)}:${json}`);
      if (isLong(member)) await addList(member);
      start = ',';
    }
    add('}');
  }
  return concatYielding([...chunks, Buffer.from(text)]);
}

/** Objects with custom serialization have no plain members. */
const getPlainMembers = (value: unknown): [string, unknown][] =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
    ? Object.entries(value)
    : [];
