import { type Decoder, decodeHeaderBytes, findDecoder } from './charset.ts';

const ENCODED_WORD = /=\?([^?\s*]{1,60})(?:\*[^?\s]{0,40})?\?([BbQq])\?([^?]*)\?=/g;

interface EncodedWord {
  /** Empty for a charset above the limit. */
  charset: string;
  bytes: Buffer[];
}

/** Maximum number of charsets that one value may use, because an unknown name is slow to look up. */
const MAX_CHARSETS = 30;

/**
 * Decodes the RFC 2047 words of a header value, wherever they occur. A character may be split across two words. Other
 * text is decoded as UTF-8 if valid, otherwise in the charset of the message or as windows-1252.
 * @param latin1 raw value, one character per byte
 */
export function decodeWords(latin1: string, charset: string | null = null): string {
  if (!latin1.includes('=?')) return decodeHeaderBytes(latin1, charset);
  const parts: (string | EncodedWord)[] = [];
  const decoders = new Map<string, Decoder>([['', findDecoder(null)]]);
  let position = 0;
  for (const match of latin1.matchAll(ENCODED_WORD)) {
    const gap = latin1.slice(position, match.index);
    position = match.index + match[0].length;
    const word = parseWord(match);
    if (!decoders.has(word.charset)) {
      if (decoders.size > MAX_CHARSETS) word.charset = '';
      else decoders.set(word.charset, findDecoder(word.charset));
    }
    const before = parts.at(-1);
    // White space between two words is ignored (RFC 2047 6.2).
    const follows = before !== undefined && typeof before !== 'string' && gap.trim() === '';
    if (follows && canJoin(before, word)) before.bytes.push(...word.bytes);
    else if (follows) parts.push(word);
    else parts.push(decodeHeaderBytes(gap, charset), word);
  }
  parts.push(decodeHeaderBytes(latin1.slice(position), charset));
  return parts
    .map((part) => (typeof part === 'string' ? part : decoders.get(part.charset)!(Buffer.concat(part.bytes))))
    .join('');
}

function parseWord([, charset, kind, text]: RegExpExecArray | RegExpMatchArray): EncodedWord {
  const payload = text ?? '';
  const bytes = kind!.toUpperCase() === 'B' ? Buffer.from(payload, 'base64') : decodeQ(payload);
  return { charset: charset!.toLowerCase(), bytes: [bytes] };
}

/** In a stateful charset, each word starts in the initial state, so words must not be joined. */
const canJoin = (open: EncodedWord, word: EncodedWord): boolean =>
  open.charset === word.charset && !/^(?:utf-?7|unicode-1-1-utf-7|iso-2022-.*|hz.*)$/.test(word.charset);

const decodeQ = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll('_', ' ')
      .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
