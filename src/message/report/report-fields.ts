import { type HeaderField, parseHeaderFields } from '../parse/header-fields.ts';
import { readPartContent } from '../parse/part-content.ts';
import type { RawMail } from '../parse/raw.ts';
import type { ScannedPart } from '../parse/scan.ts';

const MAX_PART_BYTES = 64 * 1024;

async function readBeginning(raw: RawMail, part: ScannedPart): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of readPartContent(raw, part)) {
    chunks.push(chunk.subarray(0, MAX_PART_BYTES - size));
    size += chunk.length;
    if (size >= MAX_PART_BYTES) break;
  }
  return Buffer.concat(chunks);
}

/** Splits fields into groups at blank lines, as in `message/delivery-status`. */
export async function readFieldGroups(raw: RawMail, part: ScannedPart): Promise<HeaderField[][]> {
  const text = (await readBeginning(raw, part)).toString('latin1');
  return text
    .split(/(?:\r?\n[ \t]*){2,}/)
    .map((group) => parseHeaderFields(Buffer.from(group, 'latin1')))
    .filter((fields) => fields.length > 0);
}

/** Reads the header of the returned message. Returns an empty list if the report has no such part. */
export async function readReturnedHeader(
  raw: RawMail,
  part: ScannedPart | undefined,
): Promise<HeaderField[]> {
  if (!part) return [];
  const text = (await readBeginning(raw, part)).toString('latin1').replace(/^(?:\r?\n)+/, '');
  return parseHeaderFields(Buffer.from(text.split(/\r?\n\r?\n/, 1)[0]!, 'latin1'));
}
