/** RFC 2047 2: a word holds at most 75 characters, 12 of them its frame; 52 leaves room for a field name before it. */
const MAX_WORD_CHARS = 52 - '=?UTF-8?Q??='.length;

/** What RFC 2047 5 (3) lets stand for itself inside a phrase, the strictest of its places. */
const LITERAL_CHARACTER = /[A-Za-z0-9!*+\-/]/;
const Q_ENCODED_BYTES = Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  if (byte < 128 && LITERAL_CHARACTER.test(char)) return char;
  return char === ' ' ? '_' : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
});

/**
 * The text as RFC 2047 words, parted by spaces, no character cut in two; Q where most letters stay readable, else B.
 */
export function encodeWords(text: string): string {
  const whole = text.toWellFormed();
  return isMostlyAscii(whole)
    ? buildWords(whole, 'Q', MAX_WORD_CHARS, encodeQ)
    : buildWords(whole, 'B', (MAX_WORD_CHARS / 4) * 3, (char) => char);
}

function isMostlyAscii(text: string): boolean {
  let other = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) other += 1;
  return other * 2 < text.length;
}

/** `space` counts the characters of Q words and the bytes of B words. */
function buildWords(text: string, kind: 'Q' | 'B', space: number, encode: (char: string) => string): string {
  const done: string[] = [];
  let word = '';
  let used = 0;
  const close = () =>
    done.push(`=?UTF-8?${kind}?${kind === 'B' ? Buffer.from(word).toString('base64') : word}?=`);
  for (const char of text) {
    const piece = encode(char);
    const width = kind === 'B' ? Buffer.byteLength(char) : piece.length;
    if (used + width > space) {
      close();
      word = '';
      used = 0;
    }
    word += piece;
    used += width;
  }
  close();
  return done.join(' ');
}

function encodeQ(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 128) return Q_ENCODED_BYTES[code] ?? '';
  let text = '';
  for (const byte of Buffer.from(char)) text += Q_ENCODED_BYTES[byte];
  return text;
}
