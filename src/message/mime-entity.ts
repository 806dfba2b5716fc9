import { wrap } from 'nodemailer/lib/base64';
import { buildHeaderValue, detectMimeType } from 'nodemailer/lib/mime-funcs';
import { encodeWords } from './encoded-words.ts';
import { formatField, needsEncodedWords } from './header.ts';
import { encodeQuotedPrintable } from './quoted-printable.ts';

/** Maximum line length without CRLF (RFC 5322 2.1.1). */
const MAX_LINE_BYTES = 998;

/** Header fields, an empty line and the body (RFC 2045 2.4), as an ASCII string with CRLF line endings. */
export type MimeEntity = string;

/**
 * Builds a text part in the most readable encoding possible: 7bit, quoted-printable for mostly Latin text, or base64.
 */
export function buildTextEntity(subtype: 'plain' | 'html', text: string): MimeEntity {
  // Quoted-printable encodes a bare CR or LF as data (RFC 2045 6.7), so line breaks are normalized first.
  const body = /\r(?!\n)|(?<!\r)\n/.test(text) ? text.replace(/\r\n?|\n/g, '\r\n') : text;
  const head = `Content-Type: text/${subtype}; charset=utf-8\r\nContent-Transfer-Encoding: `;
  if (isSevenBit(body)) return `${head}7bit\r\n\r\n${body}`;
  if (isMostlyLatin(body)) return `${head}quoted-printable\r\n\r\n${encodeQuotedPrintable(body)}`;
  return `${head}base64\r\n\r\n${wrap(Buffer.from(body).toString('base64'))}`;
}

/** @param boundary must not occur in any part; 24 random hex digits are sufficient */
export function buildMultipartEntity(
  subtype: 'mixed' | 'alternative' | 'related',
  boundary: string,
  parts: readonly MimeEntity[],
): MimeEntity {
  const head = `Content-Type: multipart/${subtype};\r\n boundary="${boundary}"\r\n\r\n`;
  return `${head}${parts.map((part) => `--${boundary}\r\n${part}\r\n`).join('')}--${boundary}--\r\n`;
}

/**
 * Builds an attachment, or an inline file if it has a content id. Encodes the name according to RFC 2231, and again in
 * the form that older clients read.
 */
export function buildFileEntity(
  filename: string,
  content: Buffer,
  contentType?: string,
  contentId?: string,
): MimeEntity {
  const type = contentType || guessType(filename);
  const asWords = needsEncodedWords(filename) || filename.includes('=?');
  const name = JSON.stringify(asWords ? encodeWords(filename) : filename);
  const value = contentId === undefined ? 'attachment' : 'inline';
  const disposition = buildHeaderValue({ value, params: { filename } });
  return [
    formatField('Content-Type', /; *name=/i.test(type) ? type : `${type}; name=${name}`),
    formatField('Content-Disposition', disposition),
    contentId === undefined ? '' : formatField('Content-ID', `<${contentId}>`),
    'Content-Transfer-Encoding: base64\r\n\r\n',
    wrap(content.toString('base64')),
  ].join('');
}

export function buildAlternativeEntity(contentType: string, content: Buffer): MimeEntity {
  const encoded = wrap(content.toString('base64'));
  return `${formatField('Content-Type', contentType)}Content-Transfer-Encoding: base64\r\n\r\n${encoded}`;
}

/** Base64 is not allowed for `message` and `multipart` types (RFC 2046 5.2.1, RFC 2045 6.4). */
function guessType(filename: string): string {
  const type = detectMimeType(filename.split('.').pop() ?? '');
  return /^(message|multipart)\//.test(type) ? 'application/octet-stream' : type;
}

function isSevenBit(text: string): boolean {
  if (/[^\t\r\n\x20-\x7e]/.test(text)) return false;
  let from = 0;
  for (let end = text.indexOf('\r\n'); end !== -1; end = text.indexOf('\r\n', from)) {
    if (end - from > MAX_LINE_BYTES) return false;
    from = end + 2;
  }
  return text.length - from <= MAX_LINE_BYTES;
}

/** Checks a sample, because the encoding only affects size and readability. */
function isMostlyLatin(text: string): boolean {
  const sample = text.length > 4096 ? text.slice(0, 4096) : text;
  return (sample.match(/[\x80-\uffff]/g)?.length ?? 0) * 4 < sample.length;
}
