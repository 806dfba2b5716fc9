import { isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';

/** Charset names used in mail that neither decoder supports. */
const CHARSET_ALIASES: Record<string, string> = {
  'unicode-1-1-utf-7': 'utf-7',
  'cp-850': 'cp850',
  'x-unknown': '',
  'unknown-8bit': '',
  'us-ascii': '',
  ascii: '',
  'ansi_x3.4-1968': '',
  'iso-646': '',
  utf8mb4: 'utf-8',
  'ks_c_5601-1987': 'euc-kr',
};

/**
 * Decodes bytes by a charset name from mail. If the charset is unknown, decodes as UTF-8 if valid, otherwise as
 * windows-1252. Removes NUL, which databases reject, and replaces lone surrogates.
 */
export const decodeText = (bytes: Uint8Array, charset: string | null): string => findDecoder(charset)(bytes);

export type Decoder = (bytes: Uint8Array) => string;

/** Returns a decoder that works like `decodeText`. Reuse it, because looking up an unknown charset is slow. */
export function findDecoder(charset: string | null): Decoder {
  const label = (charset ?? '').trim().toLowerCase().replace(/^"|"$/g, '');
  const name = CHARSET_ALIASES[label] ?? label;
  const decode = (name && name.length < 60 && createDecoder(name)) || decodeUnnamed;
  return (bytes) => toStorableText(decode(bytes));
}

export const toStorableText = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed();

const decodeUnnamed: Decoder = (bytes) => (isUtf8(bytes) ? UTF_8 : WINDOWS_1252).decode(bytes);

const UTF_8 = new TextDecoder('utf-8');
const WINDOWS_1252 = new TextDecoder('windows-1252');

function createDecoder(name: string): Decoder | null {
  try {
    const decoder = new TextDecoder(name);
    return (bytes) => decoder.decode(bytes);
  } catch {
    return iconv.encodingExists(name) ? (bytes) => iconv.decode(Buffer.from(bytes), name) : null;
  }
}

/**
 * Decodes raw header text with one character per byte.
 * @param charset charset of the message, for bytes that are not UTF-8
 */
export function decodeHeaderBytes(latin1: string, charset: string | null = null): string {
  if (ISO_2022_JP.test(latin1)) return decodeText(Buffer.from(latin1, 'latin1'), 'iso-2022-jp');
  if (!/[\x80-\xff\0]/.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, 'latin1');
  if (charset === null || isUtf8(bytes)) return decodeText(bytes, null);
  const candidates = JAPANESE_CHARSET.test(charset) ? [charset, 'shift_jis', 'euc-jp'] : [charset];
  const texts = candidates.map((name) => decodeText(bytes, name));
  return texts.find((text) => !text.includes('\ufffd')) ?? decodeText(bytes, null);
}

/** Escape sequences of ISO-2022-JP, which identify the charset. */
const ISO_2022_JP = /\x1b\$[@B]/;
/** Senders of these charsets often send headers in another one. */
const JAPANESE_CHARSET = /^"?(?:iso-2022-jp|(?:x-)?(?:shift_jis|sjis|euc-jp))/i;
