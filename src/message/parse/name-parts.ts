import { buildMessageFilename, getPartName } from '../part-name.ts';
import { decodeFieldText, getFirstValue, parseHeaderFields } from './header-fields.ts';
import { readPartContent } from './part-content.ts';
import type { RawMail } from './raw.ts';
import type { ScannedPart } from './scan.ts';

/** Limits on reading the subjects of attached messages. */
const MAX_NESTED_MESSAGES = 50;
const MAX_NESTED_BYTES = 64 * 1024;

/** Assigns unique names to unnamed files. */
export async function nameParts(raw: RawMail, files: readonly ScannedPart[]): Promise<void> {
  const usedNames = new Map<string, number>();
  let messages = 0;
  for (const file of files) {
    if (file.filename !== null) continue;
    const isRead = /^message\/(?:rfc822|global)$/.test(file.type) && messages++ < MAX_NESTED_MESSAGES;
    const name = isRead ? buildMessageFilename(await readSubject(raw, file)) : getPartName(file.type);
    const count = (usedNames.get(name) ?? 0) + 1;
    usedNames.set(name, count);
    file.filename = count === 1 ? name : addNumber(name, count);
  }
}

function addNumber(name: string, count: number): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? `${name}-${count}` : `${name.slice(0, dot)}-${count}${name.slice(dot)}`;
}

async function readSubject(raw: RawMail, part: ScannedPart): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readPartContent(raw, {
    ...part,
    bodyTo: Math.min(part.bodyTo, part.bodyFrom + MAX_NESTED_BYTES),
  })) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= MAX_NESTED_BYTES) break;
  }
  const text = Buffer.concat(chunks)
    .toString('latin1')
    .replace(/^(?:\r?\n)+/, '');
  const [header = ''] = text.split(/\r?\n\r?\n/, 1);
  return decodeFieldText(getFirstValue(parseHeaderFields(Buffer.from(header, 'latin1')), 'subject'));
}
