import { toStorableText } from './charset.ts';
import { decodeFieldText, parseHeaderFields } from './header-fields.ts';
import type { DecodedHeader } from './message.ts';
import type { RawMail } from './raw.ts';

export async function readDecodedHeaders(raw: RawMail, maxBytes: number): Promise<DecodedHeader[]> {
  let bytes = Buffer.alloc(0);
  let end = -1;
  for await (const chunk of raw.read(0, Math.min(raw.size, maxBytes))) {
    const from = Math.max(0, bytes.length - MAX_EMPTY_LINE_BYTES);
    bytes = Buffer.concat([bytes, chunk]);
    const headerEnd = bytes.toString('latin1', from).search(/\r\n\r\n|\n\n|\r\r/);
    if (headerEnd < 0) continue;
    end = from + headerEnd;
    break;
  }
  const fields = parseHeaderFields(end < 0 ? bytes : bytes.subarray(0, end));
  return fields.map(({ name, latin1 }) => ({ name, value: toStorableText(decodeFieldText(latin1)) }));
}

/** Maximum bytes of the empty line that ends a header. It may be split between chunks. */
const MAX_EMPTY_LINE_BYTES = 4;

export interface RawHeader {
  /** Text with one character per byte, without the empty line at the end. */
  text: string;
  end: number;
}

export async function readRawHeader(raw: RawMail): Promise<RawHeader> {
  const parts: string[] = [];
  let tail = '';
  for await (const chunk of raw.read(0, raw.size)) {
    const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    parts.push(text);
    // The empty line may be split between chunks.
    if (EMPTY_LINE.test(tail + text)) break;
    tail = (tail + text).slice(-2);
  }
  const text = parts.join('');
  const empty = EMPTY_LINE.exec(text);
  const end = empty ? empty.index + 1 : text.length;
  return { text: text.slice(0, end), end };
}

const EMPTY_LINE = /\n\r?\n/;
