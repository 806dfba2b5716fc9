import { decodeWords } from './header-words.ts';

export interface HeaderField {
  /** Lower case. */
  name: string;
  /** As written. */
  label: string;
  /** Raw value, one character per byte. */
  latin1: string;
}

/** Splits a header into fields, in order. Ignores lines that belong to no field. */
export function parseHeaderFields(header: Uint8Array): HeaderField[] {
  const text = Buffer.from(header.buffer, header.byteOffset, header.byteLength).toString('latin1');
  const fields: HeaderField[] = [];
  let last: HeaderField | undefined;
  for (const line of text.split(/\r\n|\n|\r/)) {
    if (line === '') continue;
    if (line[0] === ' ' || line[0] === '\t') {
      if (last) last.latin1 += line;
      continue;
    }
    const colon = line.indexOf(':');
    const name = colon < 1 ? '' : line.slice(0, colon).trimEnd();
    if (!/^[!-9;-~]{1,200}$/.test(name)) continue;
    last = { name: name.toLowerCase(), label: name, latin1: line.slice(colon + 1) };
    fields.push(last);
  }
  for (const field of fields) field.latin1 = field.latin1.replaceAll('\t', ' ').trim();
  return fields;
}

/** Returns the raw value of the first field with this name. Empty if there is none. */
export const getFirstValue = (fields: HeaderField[], name: string): string =>
  fields.find((field) => field.name === name)?.latin1 ?? '';

/** Decodes encoded words and collapses white space. */
export const decodeFieldText = (latin1: string, charset: string | null = null): string =>
  decodeWords(latin1, charset).replace(/\s+/g, ' ').trim();
