import { decodeText } from './charset.ts';
import { decodeWords } from './header-words.ts';

/** A structured header value, such as `text/plain; charset=utf-8`. */
interface StructuredValue {
  /** Text before the first semicolon, in lower case. */
  value: string;
  /** Parameters by lower-case name, decoded according to RFC 2231 and RFC 2047. */
  parameters: Map<string, string>;
}

const MAX_PARAMETERS = 100;
const MAX_VALUE_CHARS = 64 * 1024;

/** A section of a parameter (RFC 2231): `name*2*=…` is section 2, percent-encoded. */
interface ParameterPiece {
  section: number;
  encoded: boolean;
  text: string;
}

/**
 * @param latin1 raw value, one character per byte
 * @param charset charset of bytes that are not UTF-8
 */
export function parseStructured(latin1: string, charset: string | null = null): StructuredValue {
  const [first = '', ...rest] = splitParameters(latin1.slice(0, MAX_VALUE_CHARS));
  const parts = new Map<string, ParameterPiece[]>();
  for (const part of rest.slice(0, MAX_PARAMETERS)) {
    const equals = part.indexOf('=');
    if (equals < 1) continue;
    const [, name, section, star] =
      /^([^*\s]{1,80})(?:\*(\d{1,3}))?(\*)?$/.exec(part.slice(0, equals).trim()) ?? [];
    if (!name) continue;
    const key = name.toLowerCase();
    const segment = {
      section: Number(section ?? 0),
      encoded: star === '*',
      text: unquoteValue(part.slice(equals + 1).trim()),
    };
    // An extended value (RFC 2231) takes precedence over a plain one with the same name.
    const isExtended = section !== undefined || segment.encoded;
    parts.set(isExtended ? `${key}*` : key, [...(parts.get(isExtended ? `${key}*` : key) ?? []), segment]);
  }
  const parameters = new Map<string, string>();
  for (const [key, list] of parts) {
    const name = key.replace(/\*$/, '');
    if (key.endsWith('*') || !parts.has(`${key}*`))
      parameters.set(name, joinPieces(list, key.endsWith('*'), charset));
  }
  return { value: first.trim().toLowerCase(), parameters };
}

/** Splits at semicolons outside of quotes and comments. Removes comments. */
function splitParameters(text: string): string[] {
  const parts: string[] = [];
  let part = '';
  let from = 0;
  let isQuoted = false;
  let comment = 0;
  for (let index = 0; index <= text.length && parts.length <= MAX_PARAMETERS; index++) {
    const char = text[index];
    const isEnd = char === undefined;
    if (!isEnd && char === '\\' && (isQuoted || comment > 0)) index++;
    else if (char === '"' && comment === 0) isQuoted = !isQuoted;
    else if (char === '(' && !isQuoted) {
      if (comment++ === 0) part += text.slice(from, index);
    } else if (char === ')' && comment > 0) {
      if (--comment === 0) from = index + 1;
    } else if (isEnd || (char === ';' && !isQuoted && comment === 0)) {
      parts.push(comment > 0 ? part : part + text.slice(from, index));
      part = '';
      from = index + 1;
    }
  }
  return parts;
}

/** A backslash escapes only quotes and backslashes: `"C:\temp\a.txt"` is a path. */
function unquoteValue(text: string): string {
  if (!text.startsWith('"')) return text;
  const inner = text.slice(1, text.length > 1 && text.endsWith('"') ? -1 : undefined);
  return inner.replace(/\\(["\\])/g, '$1');
}

function joinPieces(pieces: ParameterPiece[], isExtended: boolean, charset: string | null): string {
  if (!isExtended) return decodeWords(pieces[0]!.text, charset);
  const sortedPieces = [...pieces].sort((a, b) => a.section - b.section);
  if (!sortedPieces.some(({ encoded }) => encoded))
    return decodeWords(sortedPieces.map(({ text }) => text).join(''), charset);
  const [, charsetName, start] = /^([^']*)'[^']*'(.*)$/s.exec(sortedPieces[0]!.text) ?? [];
  const texts = sortedPieces.map(({ encoded, text }, index) => {
    const rest = index === 0 && start !== undefined && encoded ? start : text;
    return encoded ? decodePercent(rest) : rest;
  });
  return decodeText(Buffer.from(texts.join(''), 'latin1'), charsetName || null);
}

const decodePercent = (text: string): string =>
  text.replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
