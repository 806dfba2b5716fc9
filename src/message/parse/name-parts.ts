import { buildMessageFilename, getNameByContent, getPartName, NAMING_BYTES } from '../part-name.ts';
import { decodeFieldText, getFirstValue, parseHeaderFields } from './header-fields.ts';
import { readPartContent } from './part-content.ts';
import type { RawMail } from './raw.ts';
import type { ScannedPart } from './scan.ts';

/** Limits on reading the subjects of attached messages and the beginnings of files. */
const MAX_READ_FILES = 50;
const MAX_NESTED_BYTES = 64 * 1024;

export async function nameParts(raw: RawMail, files: readonly ScannedPart[]): Promise<void> {
  const usedNames = new Map<string, number>();
  let reads = 0;
  for (const file of files) {
    if (file.filename !== null) continue;
    const name =
      isNamedByContent(file) && reads++ < MAX_READ_FILES ? await readName(raw, file) : getPartName(file.type);
    const count = (usedNames.get(name) ?? 0) + 1;
    usedNames.set(name, count);
    file.filename = count === 1 ? name : addNumber(name, count);
  }
}

const isMessage = (type: string): boolean => /^message\/(?:rfc822|global)$/.test(type);

/** True for messages, and for files whose type implies no extension. */
const isNamedByContent = ({ type }: ScannedPart): boolean =>
  isMessage(type) || !getPartName(type).includes('.');

async function readName(raw: RawMail, part: ScannedPart): Promise<string> {
  if (isMessage(part.type))
    return buildMessageFilename(parseSubject(await readBeginning(raw, part, MAX_NESTED_BYTES)));
  return getNameByContent(await readBeginning(raw, part, NAMING_BYTES)) ?? getPartName(part.type);
}

function addNumber(name: string, count: number): string {
  const dot = name.lastIndexOf('.');
  return dot < 0 ? `${name}-${count}` : `${name.slice(0, dot)}-${count}${name.slice(dot)}`;
}

async function readBeginning(raw: RawMail, part: ScannedPart, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Encoded content is at most four times as long as decoded content, except for empty lines.
  const bodyTo = Math.min(part.bodyTo, part.bodyFrom + Math.max(maxBytes, MIN_READ_BYTES));
  for await (const chunk of readPartContent(raw, { ...part, bodyTo })) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= maxBytes) break;
  }
  return Buffer.concat(chunks);
}

const MIN_READ_BYTES = 1_024;

function parseSubject(message: Buffer): string {
  const text = message.toString('latin1').replace(/^(?:\r?\n)+/, '');
  const [header = ''] = text.split(/\r?\n\r?\n/, 1);
  return decodeFieldText(getFirstValue(parseHeaderFields(Buffer.from(header, 'latin1')), 'subject'));
}
