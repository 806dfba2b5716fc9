import { foldLines, quoteString } from 'nodemailer/lib/mime-funcs';
import { encodeWords } from './encoded-words.ts';

/** Detects control characters other than TAB. CR and LF would allow header injection. */
export function hasControlCharacter(text: string): boolean {
  return /[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]/.test(text);
}

/** Detects bidirectional overrides, which could display `gnp.exe` as `exe.png`. */
export const hasDirectionCharacter = (text: string): boolean => /[\u202a-\u202e\u2066-\u2069]/.test(text);

/**
 * Formats a header field with its CRLF, folded at white space to 76 characters if possible.
 * @param value ASCII only
 */
export function formatField(name: string, value: string): string {
  const line = `${name}: ${value}`;
  return `${line.length > 76 ? foldLines(line, 76) : line}\r\n`;
}

/**
 * Returns ASCII unchanged, so that structured values (List-Id, JSON) keep their quotes. Encodes other text as RFC 2047
 * words.
 */
export function encodeUnstructured(value: string): string {
  return needsEncodedWords(value) ? encodeWords(value) : value;
}

/** Encodes text written by a person. Text that looks like an encoded word is encoded itself. */
export const encodePlainText = (value: string): string =>
  value.includes('=?') ? encodeWords(value) : encodeUnstructured(value);

/**
 * Formats `address`, `Name <address>` or `"Na.me" <address>` (RFC 5322 3.4). Names that are not ASCII become RFC 2047
 * words.
 */
export function formatMailboxText({ name, address }: { name?: string; address: string }): string {
  if (!name) return address;
  if (needsEncodedWords(name) || name.includes('=?')) return `${encodeWords(name)} <${address}>`;
  return `${/^[\w ]*$/.test(name) ? name : quoteString(name)} <${address}>`;
}

/** Returns true for text that is not printable ASCII, or that folding would change. */
export function needsEncodedWords(value: string): boolean {
  return /[^\x20-\x7e]/.test(value) || value !== value.trim() || hasLongRun(value);
}

/**
 * Detects runs of 20 spaces, which could fold to an empty line, and of 900 other characters, which exceed the line
 * limit. Uses a loop, because a regular expression would backtrack at each position.
 */
function hasLongRun(value: string): boolean {
  let start = 0;
  let spaces = false;
  for (let index = 0; index < value.length; index += 1) {
    if ((value.charCodeAt(index) === 32) !== spaces) {
      start = index;
      spaces = !spaces;
    }
    if (index - start + 1 === (spaces ? 20 : 900)) return true;
  }
  return false;
}
