import { nameOfMessage, nameOfType } from '../part-name.ts';
import { partContent } from './attachment.ts';
import { fieldsOf, fieldText, firstOf } from './header-fields.ts';
import type { RawMail } from './raw.ts';
import type { ScannedPart } from './scan.ts';

/** Messages in a message that are looked into, and bytes of each. */
const MOST_MESSAGES = 50;
const MOST_BYTES = 64 * 1024;

/** Names the files of a message that have no name, each differently. */
export async function nameParts(raw: RawMail, files: readonly ScannedPart[]): Promise<void> {
  const taken = new Map<string, number>();
  let messages = 0;
  for (const file of files) {
    if (file.filename !== null) continue;
    const isRead = /^message\/(?:rfc822|global)$/.test(file.type) && messages++ < MOST_MESSAGES;
    const name = isRead ? nameOfMessage(await subjectOf(raw, file)) : nameOfType(file.type);
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    file.filename = count === 1 ? name : numbered(name, count);
  }
}

function numbered(name: string, count: number): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? `${name}-${count}` : `${name.slice(0, dot)}-${count}${name.slice(dot)}`;
}

async function subjectOf(raw: RawMail, part: ScannedPart): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of partContent(raw, {
    ...part,
    bodyTo: Math.min(part.bodyTo, part.bodyFrom + MOST_BYTES),
  })) {
    pieces.push(piece);
    size += piece.length;
    if (size >= MOST_BYTES) break;
  }
  const text = Buffer.concat(pieces)
    .toString('latin1')
    .replace(/^(?:\r?\n)+/, '');
  const [header = ''] = text.split(/\r?\n\r?\n/, 1);
  return fieldText(firstOf(fieldsOf(Buffer.from(header, 'latin1')), 'subject'));
}
