import { partContent } from '../parse/attachment.ts';
import { fieldsOf, type HeaderLine } from '../parse/header-fields.ts';
import type { RawMail } from '../parse/raw.ts';
import type { ScannedPart } from '../parse/scan.ts';

/** Bytes of a part of a report that are read. */
const MOST = 64 * 1024;

/** The beginning of a part's body, decoded. */
async function beginningOf(raw: RawMail, part: ScannedPart): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of partContent(raw, part)) {
    pieces.push(piece.subarray(0, MOST - size));
    size += piece.length;
    if (size >= MOST) break;
  }
  return Buffer.concat(pieces);
}

/** Groups of fields that blank lines part, as in `message/delivery-status`; those without a field are left out. */
export async function fieldGroups(raw: RawMail, part: ScannedPart): Promise<HeaderLine[][]> {
  const text = (await beginningOf(raw, part)).toString('latin1');
  return text
    .split(/(?:\r?\n[ \t]*){2,}/)
    .map((group) => fieldsOf(Buffer.from(group, 'latin1')))
    .filter((fields) => fields.length > 0);
}

/** The header of the message that a part returns; none without the part. */
export async function returnedHeader(raw: RawMail, part: ScannedPart | undefined): Promise<HeaderLine[]> {
  if (!part) return [];
  const text = (await beginningOf(raw, part)).toString('latin1').replace(/^(?:\r?\n)+/, '');
  return fieldsOf(Buffer.from(text.split(/\r?\n\r?\n/, 1)[0]!, 'latin1'));
}
