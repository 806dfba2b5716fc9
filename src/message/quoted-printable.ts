const CR = 13;
const LF = 10;
const EQUALS = 61;
const HEX_DIGITS = Buffer.from('0123456789ABCDEF', 'latin1');

/** Encodes text with CRLF line endings as quoted-printable (RFC 2045 6.7), in lines of at most 76 characters. */
export function encodeQuotedPrintable(text: string): string {
  const source = Buffer.from(text, 'utf8');
  const size = source.length;
  // Each byte takes at most three characters, plus one soft break of three characters per 73 characters.
  const out = Buffer.allocUnsafe(Math.ceil(size * 3 * (1 + 3 / 73)) + 3);
  let to = 0;
  let column = 0;
  for (let index = 0; index < size; index += 1) {
    const byte = source[index] as number;
    if (byte === CR) {
      out[to++] = CR;
      column = 0;
      continue;
    }
    if (byte === LF) {
      out[to++] = LF;
      continue;
    }
    const last = index + 1 === size || source[index + 1] === CR;
    const width = isLiteral(byte, last) ? 1 : 3;
    if (column + width > (last ? 76 : 75)) {
      out[to++] = EQUALS;
      out[to++] = CR;
      out[to++] = LF;
      column = 0;
    }
    column += width;
    if (width === 1) out[to++] = byte;
    else {
      out[to++] = EQUALS;
      out[to++] = HEX_DIGITS[byte >> 4] as number;
      out[to++] = HEX_DIGITS[byte & 15] as number;
    }
  }
  return out.toString('latin1', 0, to);
}

/** Returns false for white space at the end of a line, because it could be lost in transit. */
function isLiteral(byte: number, last: boolean): boolean {
  if (byte === 32 || byte === 9) return !last;
  return byte > 32 && byte < 127 && byte !== EQUALS;
}
