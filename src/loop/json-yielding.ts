import { yieldToOthers } from './yield.ts';

/** Characters that are processed without checking the clock. */
const PIECE_CHARS = 256 * 1024;

/**
 * Splits JSON text from PostgreSQL into pieces that end with a line feed. Strings in it contain no line feeds, and rows
 * of a list are separated by one.
 */
export function* splitLines(json: string): Generator<string> {
  for (let from = 0; from < json.length; ) {
    const end = json.indexOf('\n', from + PIECE_CHARS);
    const to = end < 0 ? json.length : end + 1;
    yield json.slice(from, to);
    from = to;
  }
}

/** Replaces within a long JSON text and yields to the event loop between pieces. Matches must not span lines. */
export async function replaceYielding(json: string, replace: (part: string) => string): Promise<string> {
  if (json.length <= PIECE_CHARS) return replace(json);
  let result = '';
  for (const part of splitLines(json)) {
    const pause = yieldToOthers();
    if (pause) await pause;
    result += replace(part);
  }
  return result;
}

/** Parses JSON. A long list of rows is parsed in pieces, and the event loop runs between them. */
export async function parseJsonYielding(json: string): Promise<unknown> {
  if (json.length <= PIECE_CHARS || !json.startsWith('[') || !json.endsWith(']')) return JSON.parse(json);
  return (await parseRowsYielding(json)) ?? JSON.parse(json);
}

/**
 * Parses the rows in pieces. Null if a piece is not a list of complete rows, because its lines belong to a list within
 * a row.
 */
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

/** @param isLast the last row of the last piece has no trailing comma, unlike every other piece */
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
/** Characters per chunk of output. */
const CHUNK_CHARS = 64 * 1024;

const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length >= MIN_LONG_ITEMS;

/**
 * Serializes a long list, or an object that contains one, as UTF-8 JSON and yields to the event loop. Null for a short
 * value.
 */
export async function stringifyLong(value: unknown): Promise<Buffer<ArrayBuffer> | null> {
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
      // Estimates from the previous items how many fill a chunk.
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
  return Buffer.concat([...chunks, Buffer.from(text)]);
}

/** Returns the members of a plain object. Objects with their own serialization have none. */
const getPlainMembers = (value: unknown): [string, unknown][] =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
    ? Object.entries(value)
    : [];
