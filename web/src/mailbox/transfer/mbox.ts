// Parses mail files: a single message (`.eml`), or a series of messages (`.mbox`, RFC 4155) that each follow a line
// starting with "From ".

const LINE_FEED = 10;
const SEPARATOR = [70, 114, 111, 109, 32];

const CHUNK_BYTES = 4 * 1024 * 1024;

/** A message of a file, with its end offset in the file. */
export interface RawMessage {
  raw: Uint8Array;
  end: number;
}

/** Reads the messages of a file in chunks. */
export async function* readMessages(file: Blob, chunk = CHUNK_BYTES): AsyncGenerator<RawMessage> {
  let buffer: Uint8Array = new Uint8Array();
  let end = 0;
  let isMbox: boolean | null = null;
  while (end < file.size) {
    const next = new Uint8Array(await file.slice(end, end + chunk).arrayBuffer());
    end += next.length;
    // The previous bytes have been searched, except for a separator that may straddle the chunk boundary.
    const from = Math.max(0, buffer.length - SEPARATOR.length);
    buffer = concatBytes(buffer, next);
    if (buffer.length >= SEPARATOR.length || end === file.size) isMbox ??= startsSeparator(buffer, 0);
    if (!isMbox) continue;
    let start = 0;
    for (let at = findNextStart(buffer, Math.max(1, from)); at >= 0; at = findNextStart(buffer, at + 1)) {
      yield { raw: extractBody(buffer.subarray(start, at)), end: end - (buffer.length - at) };
      start = at;
    }
    buffer = buffer.slice(start);
  }
  if (buffer.length > 0) yield { raw: isMbox ? extractBody(buffer) : buffer, end };
}

function concatBytes(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.length + other.length);
  all.set(one);
  all.set(other, one.length);
  return all;
}

const startsSeparator = (bytes: Uint8Array, at: number): boolean =>
  SEPARATOR.every((byte, step) => bytes[at + step] === byte);

function findNextStart(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(LINE_FEED, from - 1); at >= 0; at = bytes.indexOf(LINE_FEED, at + 1))
    if (startsSeparator(bytes, at + 1) && isBlankBefore(bytes, at)) return at + 1;
  return -1;
}

/** True if the line that ends at `at` is empty. */
function isBlankBefore(bytes: Uint8Array, at: number): boolean {
  const before = bytes[at - 1] === 13 ? at - 2 : at - 1;
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
  for (let at = 0; at < bytes.length; at += 1) {
    const isFirst = at === 0 || bytes[at - 1] === LINE_FEED;
    if (isFirst && bytes[at] === QUOTE_MARK && isQuotedSeparator(bytes, at)) continue;
    output[length++] = bytes[at]!;
  }
  return output.subarray(0, length);
}

function isQuotedSeparator(bytes: Uint8Array, from: number): boolean {
  let at = from;
  while (bytes[at] === QUOTE_MARK) at += 1;
  return startsSeparator(bytes, at);
}
