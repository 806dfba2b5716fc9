import { createByteStore } from './byte-store.ts';
import { type FromLine, parseFromLine } from './from-line.ts';
import { countSharedBytes, MBOX_QUOTE, MBOX_SEPARATOR } from './separator.ts';

interface ReadMboxOptions {
  /** Maximum bytes of a message. A larger one is reported without its content. */
  limit: number;
}

/**
 * A message of an mbox file, or a report of a message that is too large. `size` is the size in bytes without mbox
 * quoting.
 */
export type MboxItem = FromLine & { size: number } & (
    | { kind: 'message'; raw: Buffer }
    | { kind: 'tooLarge' }
  );

const LF = 10;
const CR = 13;
const QUOTE = MBOX_QUOTE[0];
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** A longer line that starts with `From ` is text. */
const MAX_FROM_LINE_BYTES = 1_024;

/** `after` is the end of a separator line. `unsure` means that more data is needed. */
type SeparatorVerdict = { after: number; line: FromLine } | 'text' | 'unsure';

/**
 * Reads the messages of an mbox file in the formats mboxrd, mboxo and mboxcl. Ignores Content-Length, because it is
 * often wrong. Removes one `>` from `>From ` lines and keeps line endings. Text before the first separator becomes a
 * message. Keeps one message and one chunk in memory. Throws only errors of `chunks`.
 */
export async function* readMbox(
  chunks: AsyncIterable<Uint8Array>,
  options: ReadMboxOptions,
): AsyncGenerator<MboxItem> {
  const message = createMessageStore(options.limit);
  const readLine = createLineReader(message);
  for await (const chunk of skipByteOrderMark(chunks)) yield* readLine(chunk, false);
  yield* readLine(new Uint8Array(), true);
  const last = message.finish();
  if (last) yield last;
}

async function* skipByteOrderMark(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Buffer | null = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (!head) yield chunk;
    else {
      head = Buffer.concat([head, chunk]);
      if (head.length < BYTE_ORDER_MARK.length) continue;
      yield head.subarray(head.indexOf(BYTE_ORDER_MARK) === 0 ? BYTE_ORDER_MARK.length : 0);
      head = null;
    }
  }
  if (head) yield head;
}

function createMessageStore(limit: number) {
  const store = createByteStore(limit);
  let from: FromLine | null = null;
  /** Line ending of an empty line. The line is dropped before a separator or at the end of the file. */
  let emptyLine = '';

  const add = (bytes: Uint8Array): void => {
    // Empty lines at the start of the file belong to no message.
    if (emptyLine !== '' && (from || store.size() > 0)) store.add(Buffer.from(emptyLine));
    emptyLine = '';
    store.add(bytes);
  };

  /** Returns the last message. Null if there was neither a separator nor any data. */
  const finish = (): MboxItem | null => {
    const isThere = from !== null || store.size() > 0;
    const item = { ...(from ?? { sender: null, date: null }), size: store.size() };
    const raw = store.take();
    from = null;
    emptyLine = '';
    if (!isThere) return null;
    return raw ? { kind: 'message', ...item, raw } : { kind: 'tooLarge', ...item };
  };

  return {
    add,
    finish,
    begin(line: FromLine): MboxItem | null {
      const item = finish();
      from = line;
      return item;
    },
    addEmptyLine(end: string): void {
      add(new Uint8Array());
      emptyLine = end;
    },
    isApart: (): boolean => emptyLine !== '' || !from,
  };
}

interface ReadStep {
  at: number;
  item?: MboxItem | null;
}

/**
 * Passes complete data to the message, and keeps an ambiguous start of a line for the next chunk. A step returns null
 * if it needs more data.
 */
function createLineReader(message: ReturnType<typeof createMessageStore>) {
  let remainder: Uint8Array = new Uint8Array();
  /** `quoted`: after the first `>` of a line. This `>` has not been written yet. */
  let place: 'start' | 'quoted' | 'within' = 'start';

  const readLineStart = (bytes: Buffer, index: number, isLast: boolean): ReadStep | null => {
    const empty = getEmptyLineLength(bytes, index);
    if (empty > 0) {
      message.addEmptyLine(empty === 1 ? '\n' : '\r\n');
      return { at: index + empty };
    }
    const verdict = readSeparator(bytes, index, message.isApart(), isLast);
    if (verdict === 'unsure' || (isLoneReturn(bytes, index) && !isLast)) return null;
    if (verdict !== 'text') return { at: verdict.after, item: message.begin(verdict.line) };
    place = bytes[index] === QUOTE ? 'quoted' : 'within';
    return { at: place === 'quoted' ? index + 1 : index };
  };

  /** Writes all quote characters except the first, which is dropped before `From `. */
  const skipQuotes = (bytes: Buffer, index: number, isLast: boolean): ReadStep | null => {
    let end = index;
    while (bytes[end] === QUOTE) end += 1;
    if (end > index) message.add(bytes.subarray(index, end));
    const sharedCount = countSharedBytes(bytes, end);
    if (sharedCount < MBOX_SEPARATOR.length) {
      if (end + sharedCount === bytes.length && !isLast) return end > index ? { at: end } : null;
      message.add(MBOX_QUOTE);
    }
    place = 'within';
    return { at: end };
  };

  const readRestOfLine = (bytes: Buffer, index: number): ReadStep => {
    const end = bytes.indexOf(LF, index);
    const next = end < 0 ? bytes.length : end + 1;
    message.add(bytes.subarray(index, next));
    if (end >= 0) place = 'start';
    return { at: next };
  };

  const STEPS = { start: readLineStart, quoted: skipQuotes, within: readRestOfLine };

  return function* read(chunk: Uint8Array, isLast: boolean): Generator<MboxItem> {
    const bytes = joinChunks(remainder, chunk);
    let position = 0;
    while (position < bytes.length) {
      const step = STEPS[place](bytes, position, isLast);
      if (!step) break;
      if (step.item) yield step.item;
      position = step.at;
    }
    remainder = bytes.subarray(position);
    if (isLast && place === 'quoted') message.add(MBOX_QUOTE);
  };
}

const joinChunks = (remainder: Uint8Array, chunk: Uint8Array): Buffer =>
  remainder.length > 0
    ? Buffer.concat([remainder, chunk])
    : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);

/** Returns 0 if the line is not empty. */
function getEmptyLineLength(bytes: Buffer, index: number): 0 | 1 | 2 {
  if (bytes[index] === LF) return 1;
  return bytes[index] === CR && bytes[index + 1] === LF ? 2 : 0;
}

const isLoneReturn = (bytes: Buffer, index: number): boolean =>
  bytes[index] === CR && index + 1 === bytes.length;

function readSeparator(bytes: Buffer, index: number, isApart: boolean, isLast: boolean): SeparatorVerdict {
  const sharedCount = countSharedBytes(bytes, index);
  if (sharedCount < MBOX_SEPARATOR.length)
    return index + sharedCount === bytes.length && !isLast ? 'unsure' : 'text';
  const window = bytes.subarray(index, index + MAX_FROM_LINE_BYTES);
  const end = window.indexOf(LF);
  if (end < 0 && window.length < MAX_FROM_LINE_BYTES && !isLast) return 'unsure';
  const line =
    end < 0 && window.length === MAX_FROM_LINE_BYTES ? null : parseFromLine(decodeLine(window, end), isApart);
  return line ? { after: index + (end < 0 ? window.length : end + 1), line } : 'text';
}

const decodeLine = (window: Buffer, end: number): string =>
  window.toString('latin1', 0, end < 0 ? window.length : end);
