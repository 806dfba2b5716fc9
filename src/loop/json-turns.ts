import { othersFirst } from './others-first.ts';

/** Characters that are parsed, or looked through, without a look at the clock. */
const PIECE = 256 * 1024;

/**
 * Cuts JSON text that Postgres has written into pieces that end with a line: no text in it holds a line feed, and
 * between two rows of a list there is one.
 */
export function* linesOf(json: string): Generator<string> {
  for (let from = 0; from < json.length; ) {
    const end = json.indexOf('\n', from + PIECE);
    const to = end < 0 ? json.length : end + 1;
    yield json.slice(from, to);
    from = to;
  }
}

/** Replaces what is in a long JSON text, none of it across lines, while others have their turn. */
export async function replacedInTurns(json: string, replace: (piece: string) => string): Promise<string> {
  if (json.length <= PIECE) return replace(json);
  let result = '';
  for (const piece of linesOf(json)) {
    const pause = othersFirst();
    if (pause) await pause;
    result += replace(piece);
  }
  return result;
}

/** The value of a JSON text; of a long list of rows, one piece after the other while others have their turn. */
export async function parsedInTurns(json: string): Promise<unknown> {
  if (json.length <= PIECE || !json.startsWith('[') || !json.endsWith(']')) return JSON.parse(json);
  return (await rowsInTurns(json)) ?? JSON.parse(json);
}

/** null where a piece is no list of whole rows: its lines are those of a list within a row. */
async function rowsInTurns(json: string): Promise<unknown[] | null> {
  const rows: unknown[] = [];
  let read = 1;
  for (const piece of linesOf(json.slice(1, -1))) {
    const pause = othersFirst();
    if (pause) await pause;
    read += piece.length;
    const list = parsedList(piece.trimEnd(), read === json.length - 1);
    if (!list) return null;
    for (const row of list) rows.push(row);
  }
  return rows;
}

/** @param isLast no comma follows the last row of the last piece, and one does that of any other */
function parsedList(piece: string, isLast: boolean): unknown[] | null {
  if (!isLast && !piece.endsWith(',')) return null;
  try {
    const list = JSON.parse(`[${isLast ? piece : piece.slice(0, -1)}]`) as unknown[];
    return list.length > 0 ? list : null;
  } catch {
    return null;
  }
}

/** Items of a list from which on it is written in turns. */
const LONG = 1_000;
/** Characters of a chunk of what is written. */
const CHUNK = 64 * 1024;

const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length >= LONG;

/** A long list, or an object that has one, as JSON in UTF-8, while others have their turn; null for what is short. */
export async function longJson(value: unknown): Promise<Buffer<ArrayBuffer> | null> {
  const chunks: Buffer[] = [];
  let text = '';
  const add = (more: string): Promise<void> | null => {
    text += more;
    if (text.length < CHUNK) return null;
    chunks.push(Buffer.from(text));
    text = '';
    return othersFirst();
  };
  const addList = async (list: unknown[]): Promise<void> => {
    let written = 0;
    for (let at = 0, some = 1; at < list.length; at += some) {
      // As many at once as make a chunk, by those before.
      if (at > 0) some = Math.max(1, Math.min(LONG, Math.floor((at * CHUNK) / written)));
      const json = JSON.stringify(list.slice(at, at + some)).slice(1, -1);
      written += json.length;
      const pause = add(`${at === 0 ? '[' : ','}${json}`);
      if (pause) await pause;
    }
    add(']');
  };
  if (isLong(value)) await addList(value);
  else {
    const entries = membersOf(value);
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

/** Of an object that says nothing of its own about how it is written. */
const membersOf = (value: unknown): [string, unknown][] =>
  value !== null && typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype
    ? Object.entries(value)
    : [];
