// The subset of Cryptographic Message Syntax (RFC 5652, BER) that is needed to read S/MIME messages (RFC 8551) without
// keys.

import { inflateSync } from 'node:zlib';

type CmsContent = { kind: 'readable'; bytes: Buffer } | { kind: 'encrypted' };

const CONTENT_KINDS: Record<string, 'signed' | 'compressed' | 'encrypted'> = {
  // 1.2.840.113549.1.7: signedData, envelopedData, encryptedData
  '2a864886f70d010702': 'signed',
  '2a864886f70d010703': 'encrypted',
  '2a864886f70d010706': 'encrypted',
  // 1.2.840.113549.1.9.16.1: compressedData (RFC 3274), authEnvelopedData
  '2a864886f70d0109100109': 'compressed',
  '2a864886f70d0109100117': 'encrypted',
};

/**
 * Extracts the content of a signed or compressed CMS message, or detects an encrypted one. Does not verify the
 * signature. Null for other input, including detached signatures.
 */
export function readCms(bytes: Buffer): CmsContent | null {
  const info = filterByTag(readElement(bytes, 0, bytes.length), SEQUENCE);
  const type = info && readElement(bytes, info.from, info.to);
  if (!info || type?.tag !== OBJECT_ID) return null;
  const kind = CONTENT_KINDS[bytes.toString('hex', type.from, Math.min(type.to, type.from + MAX_OID_BYTES))];
  if (kind === undefined || kind === 'encrypted') return kind ? { kind } : null;
  const content = readEncapsulatedContent(bytes, { ...info, from: type.to });
  const readable = content && kind === 'compressed' ? inflate(content) : content;
  return readable && { kind: 'readable', bytes: readable };
}

const MAX_INFLATED_BYTES = 4 * 1024 * 1024;

function inflate(bytes: Buffer): Buffer | null {
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_INFLATED_BYTES });
  } catch {
    return null;
  }
}

const [OBJECT_ID, OCTETS, SEQUENCE, OCTET_PIECES, EXPLICIT] = [0x06, 0x04, 0x30, 0x24, 0xa0] as const;
const MAX_OID_BYTES = 20;

interface Range {
  from: number;
  to: number;
}

interface DerElement extends Range {
  tag: number;
  /** True if the element ends with an end-of-contents element. `to` is then the end of the surrounding element. */
  isIndefinite: boolean;
}

/** Reads an element's header. Null at the end, and for high tag numbers, which CMS does not use. */
function readElement(bytes: Buffer, index: number, end: number): DerElement | null {
  if (index + 2 > end) return null;
  const tag = bytes[index]!;
  const first = bytes[index + 1]!;
  if ((tag & 0x1f) === 0x1f) return null;
  if (first < 0x80)
    return { tag, from: index + 2, to: Math.min(end, index + 2 + first), isIndefinite: false };
  if (first === 0x80) return tag & 0x20 ? { tag, from: index + 2, to: end, isIndefinite: true } : null;
  const from = index + 2 + (first & 0x7f);
  if (first > 0x84 || from > end) return null;
  const length = bytes.readUIntBE(index + 2, first & 0x7f);
  // A truncated message is read as far as possible.
  return { tag, from, to: Math.min(end, from + length), isIndefinite: false };
}

const filterByTag = (element: DerElement | null, tag: number): DerElement | null =>
  element?.tag === tag ? element : null;

function readEncapsulatedContent(bytes: Buffer, range: Range): Buffer | null {
  const explicit = filterByTag(readElement(bytes, range.from, range.to), EXPLICIT);
  const signedElement = explicit && filterByTag(readElement(bytes, explicit.from, explicit.to), SEQUENCE);
  if (!signedElement) return null;
  // The version and the algorithms come first.
  let at: number | null = signedElement.from;
  for (let skipped = 0; skipped < 2 && at !== null; skipped++) at = skipElement(bytes, at, signedElement.to);
  const encapsulatedElement =
    at === null ? null : filterByTag(readElement(bytes, at, signedElement.to), SEQUENCE);
  const type = encapsulatedElement && readElement(bytes, encapsulatedElement.from, encapsulatedElement.to);
  if (!encapsulatedElement || type?.tag !== OBJECT_ID) return null;
  const content = filterByTag(readElement(bytes, type.to, encapsulatedElement.to), EXPLICIT);
  const octets = content && readElement(bytes, content.from, content.to);
  if (octets?.tag === OCTETS) return bytes.subarray(octets.from, octets.to);
  return octets?.tag === OCTET_PIECES ? joinPieces(bytes, octets) : null;
}

function skipElement(bytes: Buffer, from: number, end: number): number | null {
  let openCount = 0;
  let position = from;
  do {
    const element = readElement(bytes, position, end);
    if (!element) return null;
    if (element.isIndefinite) openCount++;
    else if (element.tag === 0) openCount--;
    position = element.isIndefinite ? element.from : element.to;
  } while (openCount > 0);
  return position;
}

const MAX_NESTED_STRINGS = 16;

/** Joins the segments of a constructed octet string, which may be nested. Null if they are nested too deeply. */
function joinPieces(bytes: Buffer, { from, to, isIndefinite }: DerElement): Buffer | null {
  const bytesOfPieces = Buffer.allocUnsafe(to - from);
  const ends = [isIndefinite ? null : to];
  let length = 0;
  let position = from;
  while (ends.length > 0) {
    const end = ends.at(-1) ?? to;
    const piece = position < end ? readElement(bytes, position, end) : null;
    if (piece?.tag === OCTETS) {
      length += bytes.copy(bytesOfPieces, length, piece.from, piece.to);
      position = piece.to;
    } else if (piece?.tag === OCTET_PIECES) {
      if (ends.push(piece.isIndefinite ? null : piece.to) > MAX_NESTED_STRINGS) return null;
      position = piece.from;
    } else {
      // The end of the string, or of a truncated message.
      if (ends.pop() === null && piece?.tag === 0) position = piece.to;
    }
  }
  return bytesOfPieces.subarray(0, length);
}
