/**
 * An encoded word has at most 75 characters, including 12 delimiters (RFC 2047 2). The lower limit of 52 leaves space
 * for a field name.
 */
const MAX_WORD_CHARS = 52 - '=?UTF-8?Q??='.length;

/** Literal characters allowed in a phrase, the strictest context (RFC 2047 5 (3)). */
const LITERAL_CHARACTER = /[A-Za-z0-9!*+\-/]/;
const Q_ENCODED_BYTES = Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  if (byte < 128 && LITERAL_CHARACTER.test(char)) return char;
  return char === ' ' ? '_' : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
});

/**
 * Encodes text as RFC 2047 words without splitting characters. Uses Q encoding if most characters are ASCII, otherwise
 * B.
 */
export function encodeWords(text: string): string {
  const wellFormed = text.toWellFormed();
  return isMostlyAscii(wellFormed)
    ? buildWords(wellFormed, 'Q', MAX_WORD_CHARS, encodeQ)
    : buildWords(wellFormed, 'B', (MAX_WORD_CHARS / 4) * 3, (char) => char);
}

function isMostlyAscii(text: string): boolean {
  let other = 0;
  for (let index = 0; index < text.length; index += 1) if (text.charCodeAt(index) > 127) other += 1;
  return other * 2 < text.length;
}

/** @param space characters per word for Q, bytes per word for B */
function buildWords(text: string, kind: 'Q' | 'B', space: number, encode: (char: string) => string): string {
  const result: string[] = [];
  let word = '';
  let used = 0;
  const close = () =>
    result.push(`=?UTF-8?${kind}?${kind === 'B' ? Buffer.from(word).toString('base64') : word}?=`);
  for (const char of text) {
    const part = encode(char);
    const width = kind === 'B' ? Buffer.byteLength(char) : part.length;
    if (used + width > space) {
      close();
      word = '';
      used = 0;
    }
    word += part;
    used += width;
  }
  close();
  return result.join(' ');
}

function encodeQ(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 128) return Q_ENCODED_BYTES[code] ?? '';
  let text = '';
  for (const byte of Buffer.from(char)) text += Q_ENCODED_BYTES[byte];
  return text;
}
