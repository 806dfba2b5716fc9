import { countSharedBytes, MBOX_QUOTE, MBOX_SEPARATOR } from './separator.ts';

export interface MboxEntry {
  /** Envelope sender. Null for a bounce. */
  sender: string | null;
  date: Date;
  /** Raw message with any line endings. */
  raw: AsyncIterable<Uint8Array>;
}

const LF = 10;
const CR = 13;
const QUOTE = MBOX_QUOTE[0];
const LINE_END = Buffer.from('\n');

/**
 * Writes messages as an mbox file in mboxrd format (RFC 4155): LF line endings, an additional `>` before lines that
 * consist of any number of `>` followed by `From `, and an empty line after each message.
 */
export async function* writeMbox(entries: AsyncIterable<MboxEntry>): AsyncGenerator<Uint8Array> {
  for await (const { sender, date, raw } of entries) {
    yield Buffer.from(`From ${formatSender(sender)} ${formatAsctime(date)}\n`);
    const lines = createLineQuoter();
    for await (const chunk of raw) yield* quotePieces(chunk, lines);
    yield lines.end();
  }
}

/** Maximum bytes processed at once, because each short line becomes an object. */
const PIECE_BYTES = 65_536;

function* quotePieces(chunk: Uint8Array, lines: ReturnType<typeof createLineQuoter>): Generator<Uint8Array> {
  for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
    const quoted = lines.next(chunk.subarray(start, start + PIECE_BYTES));
    if (quoted.length > 0) yield quoted;
  }
}

function formatSender(sender: string | null): string {
  const word = (sender ?? '')
    .replace(/[\s\x00-\x1f\x7f<>]+/g, '')
    .slice(0, 320)
    .toWellFormed();
  return word || 'MAILER-DAEMON';
}

const DAY_NAMES = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTH_NAMES = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Formats a time as `Mon Nov  2 03:04:05 2026`, in UTC. */
function formatAsctime(date: Date): string {
  const day = String(date.getUTCDate()).padStart(2);
  const time = date.toISOString().slice(-13, -5);
  return `${DAY_NAMES[date.getUTCDay()]} ${MONTH_NAMES[date.getUTCMonth()]} ${day} ${time} ${date.getUTCFullYear()}`;
}

function createLineQuoter() {
  /** Possible start of `From ` or of a CRLF. */
  let remainder: Uint8Array = new Uint8Array();
  /** True while the line contains only `>`. */
  let isHead = true;
  let endsLine = true;

  function next(chunk: Uint8Array, isLast = false): Uint8Array {
    const bytes =
      remainder.length > 0
        ? Buffer.concat([remainder, chunk])
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    const parts: Uint8Array[] = [];
    let from = 0;
    let position = 0;
    remainder = new Uint8Array();
    while (position < bytes.length) {
      if (isHead) {
        while (bytes[position] === QUOTE) position += 1;
        const sharedCount = countSharedBytes(bytes, position);
        if (position + sharedCount === bytes.length && sharedCount < MBOX_SEPARATOR.length && !isLast) break;
        if (sharedCount === MBOX_SEPARATOR.length) {
          parts.push(bytes.subarray(from, position), MBOX_QUOTE);
          from = position;
        }
        isHead = false;
      }
      const end = bytes.indexOf(LF, position);
      if (end < 0) {
        position = bytes.at(-1) === CR && !isLast ? bytes.length - 1 : bytes.length;
        break;
      }
      if (bytes[end - 1] === CR && end > position) {
        parts.push(bytes.subarray(from, end - 1));
        from = end;
      }
      position = end + 1;
      isHead = true;
    }
    parts.push(bytes.subarray(from, position));
    remainder = bytes.subarray(position);
    const lines = parts.length > 1 ? Buffer.concat(parts) : parts[0]!;
    if (lines.length > 0) endsLine = lines.at(-1) === LF;
    return lines;
  }

  return {
    next: (chunk: Uint8Array): Uint8Array => next(chunk),
    /** Returns the remaining bytes, a missing line ending, and the empty line. */
    end(): Uint8Array {
      const rest = next(new Uint8Array(), true);
      return Buffer.concat([rest, ...(endsLine ? [] : [LINE_END]), LINE_END]);
    },
  };
}
