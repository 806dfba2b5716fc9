import { decodeWords } from './header-words.ts';

/** A field of a header, unfolded. */
export interface HeaderLine {
  /** In lower case. */
  name: string;
  /** As it stands in the message, a character a byte. */
  latin1: string;
}

/** The fields of a header, in order. Lines that belong to none are left out. */
export function fieldsOf(header: Uint8Array): HeaderLine[] {
  const text = Buffer.from(header.buffer, header.byteOffset, header.byteLength).toString('latin1');
  const lines = text.split(/\r\n|\n|\r/);
  const fields: { name: string; lines: string[] }[] = [];
  for (const line of lines) {
    if (line === '') continue;
    if (/^[ \t]/.test(line)) {
      fields.at(-1)?.lines.push(line);
      continue;
    }
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(colon, 0)).trimEnd();
    if (/^[!-9;-~]{1,200}$/.test(name))
      fields.push({ name: name.toLowerCase(), lines: [line.slice(colon + 1)] });
  }
  return fields.map(({ name, lines: own }) => ({ name, latin1: own.join('').replaceAll('\t', ' ').trim() }));
}

/** The value of the first field of a name, as it stands in the message; empty when there is none. */
export const firstOf = (fields: HeaderLine[], name: string): string =>
  fields.find((field) => field.name === name)?.latin1 ?? '';

/** The text of a value: encoded words decoded, white space folded. */
export const fieldText = (latin1: string): string => decodeWords(latin1).replace(/\s+/g, ' ').trim();
