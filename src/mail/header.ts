import { foldLines, quoteString } from 'nodemailer/lib/mime-funcs';
import { encodeWords } from './encoded-words.ts';

/**
 * True when the text holds a control character other than TAB: CR and LF would start a header of the attacker's own.
 */
export function hasControl(text: string): boolean {
  return /[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]/.test(text);
}

/** True when characters turn the direction of the text: `gnp.exe` could be shown as `exe.png`. */
export const hasDirectionControl = (text: string): boolean => /[\u202a-\u202e\u2066-\u2069]/.test(text);

/** One header field with its CRLF, folded at white space to 76 characters where it can be. The value must be ASCII. */
export function formatField(name: string, value: string): string {
  const line = `${name}: ${value}`;
  return `${line.length > 76 ? foldLines(line, 76) : line}\r\n`;
}

/** ASCII goes out as given, so structured values (List-Id, JSON) keep their quotes; anything else as RFC 2047 words. */
export function encodeUnstructured(value: string): string {
  return needsEncodedWords(value) ? encodeWords(value) : value;
}

/** Text of a person, who means what it looks like: one that looks like an encoded word is encoded itself. */
export const encodePlainText = (value: string): string =>
  value.includes('=?') ? encodeWords(value) : encodeUnstructured(value);

/** `address`, `Name <address>` or `"Na.me" <address>` (RFC 5322 3.4), other names as RFC 2047 words. */
export function formatMailboxText({ name, address }: { name?: string; address: string }): string {
  if (!name) return address;
  if (needsEncodedWords(name) || name.includes('=?')) return `${encodeWords(name)} <${address}>`;
  return `${/^[\w ]*$/.test(name) ? name : quoteString(name)} <${address}>`;
}

/** True for text that is not printable ASCII, or that could not be folded and unfolded unchanged. */
export function needsEncodedWords(value: string): boolean {
  return /[^\x20-\x7e]/.test(value) || value !== value.trim() || hasLongRun(value);
}

/**
 * 20 spaces on end would leave a line of nothing, 900 other characters one that is too long. In one pass: a regular
 * expression would backtrack at each position.
 */
function hasLongRun(value: string): boolean {
  let start = 0;
  let spaces = false;
  for (let at = 0; at < value.length; at += 1) {
    if ((value.charCodeAt(at) === 32) !== spaces) {
      start = at;
      spaces = !spaces;
    }
    if (at - start + 1 === (spaces ? 20 : 900)) return true;
  }
  return false;
}
