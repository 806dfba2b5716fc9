/** RFC 2047 2: a word holds at most 75 characters, 12 of them its frame; 52 leaves room for a field name before it. */
const wordSpace = 52 - '=?UTF-8?Q??='.length;

/** What RFC 2047 5 (3) lets stand for itself inside a phrase, the strictest of its places. */
const plain = /[A-Za-z0-9!*+\-/]/;
const quoted = Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  if (byte < 128 && plain.test(char)) return char;
  return char === ' ' ? '_' : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;
});

/**
 * The text as RFC 2047 words, parted by spaces, no character cut in two; Q where most letters stay readable, else B.
 */
export function encodedWords(text: string): string {
  const whole = text.toWellFormed();
  return mostlyAscii(whole)
    ? words(whole, 'Q', wordSpace, quote)
    : words(whole, 'B', (wordSpace / 4) * 3, (char) => char);
}

function mostlyAscii(text: string): boolean {
  let other = 0;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) other += 1;
  return other * 2 < text.length;
}

/** `space` counts the characters of Q words and the bytes of B words. */
function words(text: string, kind: 'Q' | 'B', space: number, encode: (char: string) => string): string {
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

function quote(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  if (code < 128) return quoted[code] ?? '';
  let text = '';
  for (const byte of Buffer.from(char)) text += quoted[byte];
  return text;
}
