import { type Decoder, decodeHeaderBytes, findDecoder } from './charset.ts';

const ENCODED_WORD = /=\?([^?\s*]{1,60})(?:\*[^?\s]{0,40})?\?([BbQq])\?([^?]*)\?=/g;

interface EncodedWord {
  /** Empty if the value exceeds `MAX_CHARSETS`. */
  charset: string;
  bytes: Buffer[];
}

/** Maximum charsets per value, because looking up an unknown name is slow. */
const MAX_CHARSETS = 30;

/**
 * Decodes RFC 2047 words at any position in a header value. A character may be split across two words. Other text is
 * decoded as UTF-8 if valid, otherwise in `charset` or as windows-1252.
 * @param latin1 raw value, one character per byte
 * @param charset charset of the message
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
    if (follows && canJoinWords(before, word)) before.bytes.push(...word.bytes);
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

/** In a stateful charset, each word starts in the initial state, so words must be decoded separately. */
const canJoinWords = (open: EncodedWord, word: EncodedWord): boolean =>
  open.charset === word.charset && !/^(?:utf-?7|unicode-1-1-utf-7|iso-2022-.*|hz.*)$/.test(word.charset);

const decodeQ = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll('_', ' ')
      .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
