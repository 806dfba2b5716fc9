import { MAX_TEXT } from '../text-limits.ts';
import { findBodyParts } from './body-parts.ts';
import { nameParts } from './name-parts.ts';
import { readPartContent } from './part-content.ts';
import { type RawMail, scanMail } from './raw.ts';
import type { ScannedPart } from './scan.ts';

/** What of a raw message is needed to read it: small, whatever the size of its files. Can be sent to a thread. */
export interface MailSource {
  header: Uint8Array;
  parts: ScannedPart[];
  size: number;
  truncated: boolean;
  /** The beginnings of the bodies that are text, decoded from their transfer encoding, by path. */
  texts: Map<string, Uint8Array>;
}

/** Bytes of one text that are read: more characters than are shown, of up to four bytes each. */
const MAX_PART_TEXT_BYTES = 4 * MAX_TEXT + 1024;
/** Bytes of all texts of a message. */
const MAX_TOTAL_TEXT_BYTES = 2 * MAX_PART_TEXT_BYTES;

/** Scans a message and takes from it what `readMaterial` needs. */
export async function loadMailSource(raw: RawMail): Promise<MailSource> {
  const scan = await scanMail(raw);
  const { text, html, attachments } = findBodyParts(scan.parts);
  await nameParts(raw, attachments);
  const material: MailSource = { ...scan, texts: new Map() };
  let room = MAX_TOTAL_TEXT_BYTES;
  for (const part of new Set([...text, ...html])) {
    const bytes = await readBeginning(raw, part, Math.min(MAX_PART_TEXT_BYTES, room));
    room -= bytes.length;
    if (bytes.length < part.size) material.truncated = true;
    material.texts.set(part.path, bytes);
  }
  return material;
}

async function readBeginning(raw: RawMail, part: ScannedPart, most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  if (most > 0)
    for await (const piece of readPartContent(raw, part)) {
      pieces.push(piece.subarray(0, most - size));
      size += Math.min(piece.length, most - size);
      if (size >= most) break;
    }
  const [first] = pieces;
  // A copy of what is a small part of other bytes: a thread would get those, too.
  return pieces.length === 1 && first!.buffer.byteLength < 2 * size ? first! : Buffer.concat(pieces);
}
