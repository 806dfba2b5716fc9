// Parses mail files: a single message (`.eml`), or several messages (`.mbox`, RFC 4155), each after a line that begins
// with "From ".

const LINE_FEED = 10;
const SEPARATOR = [70, 114, 111, 109, 32];

const CHUNK_BYTES = 4 * 1024 * 1024;

/** A message, with its end offset in the file. */
export interface RawMessage {
  raw: Uint8Array;
  end: number;
}

export async function* readMessages(file: Blob, chunk = CHUNK_BYTES): AsyncGenerator<RawMessage> {
  let buffer: Uint8Array = new Uint8Array();
  let end = 0;
  let isMbox: boolean | null = null;
  while (end < file.size) {
    const next = new Uint8Array(await file.slice(end, end + chunk).arrayBuffer());
    end += next.length;
    // Previous bytes have already been searched, except for a separator across the chunk boundary.
    const from = Math.max(0, buffer.length - SEPARATOR.length);
    buffer = concatBytes(buffer, next);
    if (buffer.length >= SEPARATOR.length || end === file.size) isMbox ??= startsSeparator(buffer, 0);
    if (!isMbox) continue;
    let start = 0;
    for (
      let index = findNextStart(buffer, Math.max(1, from));
      index >= 0;
      index = findNextStart(buffer, index + 1)
    ) {
      yield { raw: extractBody(buffer.subarray(start, index)), end: end - (buffer.length - index) };
      start = index;
    }
    buffer = buffer.slice(start);
  }
  if (buffer.length > 0) yield { raw: isMbox ? extractBody(buffer) : buffer, end };
}

function concatBytes(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length);
  all.set(a);
  all.set(b, a.length);
  return all;
}

const startsSeparator = (bytes: Uint8Array, index: number): boolean =>
  SEPARATOR.every((byte, step) => bytes[index + step] === byte);

function findNextStart(bytes: Uint8Array, from: number): number {
  for (
    let index = bytes.indexOf(LINE_FEED, from - 1);
    index >= 0;
    index = bytes.indexOf(LINE_FEED, index + 1)
  )
    if (startsSeparator(bytes, index + 1) && isBlankBefore(bytes, index)) return index + 1;
  return -1;
}

/** True if the line that ends at `index` is empty. */
function isBlankBefore(bytes: Uint8Array, index: number): boolean {
  const before = bytes[index - 1] === 13 ? index - 2 : index - 1;
  return before < 0 || bytes[before] === LINE_FEED;
}

/** Removes the separator line, the trailing empty line, and the `>` of escaped "From " lines. */
function extractBody(part: Uint8Array): Uint8Array {
  const start = part.indexOf(LINE_FEED) + 1;
  let end = part.length;
  if (part[end - 1] === LINE_FEED && isBlankBefore(part, end - 1)) end -= part[end - 2] === 13 ? 2 : 1;
  return unquoteSeparators(start > 0 ? part.subarray(start, Math.max(start, end)) : new Uint8Array());
}

const QUOTE_MARK = 62;

function unquoteSeparators(bytes: Uint8Array): Uint8Array {
  const output = new Uint8Array(bytes.length);
  let length = 0;
  for (let index = 0; index < bytes.length; index += 1) {
    const isFirst = index === 0 || bytes[index - 1] === LINE_FEED;
    if (isFirst && bytes[index] === QUOTE_MARK && isQuotedSeparator(bytes, index)) continue;
    output[length++] = bytes[index]!;
  }
  return output.subarray(0, length);
}

function isQuotedSeparator(bytes: Uint8Array, from: number): boolean {
  let position = from;
  while (bytes[position] === QUOTE_MARK) position += 1;
  return startsSeparator(bytes, position);
}
