import { isAscii } from 'node:buffer';
import { RpcParseError } from '../faults.ts';

const MAX_XML_REFERENCES = 2_000_000;

type Decoder = (bytes: Buffer) => string;

const decodeUtf8: Decoder = (bytes) => decodeStrictly('utf-8', bytes);
const decodeLatin1: Decoder = (bytes) => bytes.toString('latin1');

const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['utf-8', decodeUtf8],
  ['utf8', decodeUtf8],
  ['us-ascii', decodeAscii],
  ['ascii', decodeAscii],
  ['iso-8859-1', decodeLatin1],
  ['iso8859-1', decodeLatin1],
  ['latin1', decodeLatin1],
]);

// Characters that XML 1.0 does not allow (section 2.2).
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/;

/**
 * Decodes the body. A byte order mark determines the encoding, then the XML declaration; the default is UTF-8.
 * Normalizes line ends to `\n` (XML 1.0 section 2.11). A string is treated as already decoded.
 * @throws RpcParseError above `maxBytes`, for an unknown encoding, or for bytes that are invalid in the encoding
 */
export function decodeSource(xml: Buffer | string, maxBytes: number): string {
  if (getByteSize(xml, maxBytes) > maxBytes)
    throw new RpcParseError(`the body is larger than ${maxBytes} bytes`, true);
  const text = typeof xml === 'string' ? stripByteOrderMark(xml) : decode(xml);
  if (FORBIDDEN.test(text)) throw new RpcParseError('the body contains a character that XML does not allow');
  checkReferences(text);
  return text.includes('\r') ? normalizeLineEnds(text) : text;
}

/** Limits references, because each one costs the parser time and memory. */
function checkReferences(text: string): void {
  let count = 0;
  for (let index = text.indexOf('&'); index >= 0; index = text.indexOf('&', index + 1))
    if (++count > MAX_XML_REFERENCES)
      throw new RpcParseError(`the call has more than ${MAX_XML_REFERENCES} references`);
}

const [LF, CR] = [10, 13];

/** Replaces the bytes in place, because a string replacement takes fifty times the memory. */
function normalizeLineEnds(text: string): string {
  const bytes = Buffer.from(text);
  let length = 0;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!;
    if (byte === CR && bytes[index + 1] === LF) continue;
    bytes[length++] = byte === CR ? LF : byte;
  }
  return bytes.toString('utf8', 0, length);
}

/**
 * Skips the exact count for an oversized string: its UTF-8 encoding has at least as many bytes as it has UTF-16 units.
 */
function getByteSize(xml: Buffer | string, maxBytes: number): number {
  if (typeof xml !== 'string') return xml.length;
  return xml.length > maxBytes ? xml.length : Buffer.byteLength(xml);
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return stripByteOrderMark(decodeStrictly('utf-16be', bytes));
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return stripByteOrderMark(decodeStrictly('utf-16le', bytes));
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return stripByteOrderMark(decodeUtf8(bytes));
  const name = findDeclaredEncoding(bytes);
  const decoder = DECODERS.get(name);
  if (!decoder) throw new RpcParseError(`the encoding ${name} is not supported`);
  return decoder(bytes);
}

function findDeclaredEncoding(bytes: Buffer): string {
  const head = bytes.toString('latin1', 0, 200);
  return /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1]?.toLowerCase() ?? 'utf-8';
}

function decodeAscii(bytes: Buffer): string {
  if (!isAscii(bytes)) throw createNotInEncodingError('us-ascii');
  return bytes.toString('latin1');
}

function decodeStrictly(encoding: string, bytes: Buffer): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw createNotInEncodingError(encoding);
  }
}

function stripByteOrderMark(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}

const createNotInEncodingError = (name: string) => new RpcParseError(`the body is not valid ${name}`);
