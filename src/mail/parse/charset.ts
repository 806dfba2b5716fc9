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
 * Decodes bytes in a charset as named in mail. Without a known name, decodes as UTF-8 if valid, otherwise as
 * windows-1252. Removes NUL, which databases reject, and lone surrogates.
 */
export function decodeText(bytes: Uint8Array, charset: string | null): string {
  const name = (charset ?? '').trim().toLowerCase().replace(/^"|"$/g, '');
  return toStorableText(decodeBytes(bytes, CHARSET_ALIASES[name] ?? name));
}

/** Removes NUL and replaces lone surrogates, so that the text can be stored. */
export const toStorableText = (text: string): string =>
  (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed();

function decodeBytes(bytes: Uint8Array, name: string): string {
  const decoder = name && name.length < 60 ? createDecoder(name) : null;
  if (decoder) return decoder.decode(bytes);
  if (name && name.length < 60 && iconv.encodingExists(name)) return iconv.decode(Buffer.from(bytes), name);
  return decodeUtf8(bytes) ?? new TextDecoder('windows-1252').decode(bytes);
}

function createDecoder(name: string): TextDecoder | null {
  try {
    return new TextDecoder(name);
  } catch {
    return null;
  }
}

/** Null if the bytes are not UTF-8. */
function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Decodes raw header text with one character per byte.
 * @param charset charset of the message, for bytes that are not UTF-8
 */
export function decodeHeaderBytes(latin1: string, charset: string | null = null): string {
  if (!/[\x80-\xff\0]/.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, 'latin1');
  return decodeText(bytes, decodeUtf8(bytes) === null ? charset : null);
}
