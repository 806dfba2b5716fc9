import { MAX_TEXT } from '../text-limits.ts';
import { partContent } from './attachment.ts';
import { bodyParts } from './body-parts.ts';
import { nameParts } from './name-parts.ts';
import { type RawMail, scanMail } from './raw.ts';
import type { ScannedPart } from './scan.ts';

/** What of a raw message is needed to read it: small, whatever the size of its files. Can be sent to a thread. */
export interface MailMaterial {
  header: Uint8Array;
  parts: ScannedPart[];
  size: number;
  truncated: boolean;
  /** The beginnings of the bodies that are text, decoded from their transfer encoding, by path. */
  texts: Map<string, Uint8Array>;
}

/** Bytes of one text that are read: more characters than are shown, of up to four bytes each. */
const MOST_TEXT = 4 * MAX_TEXT + 1024;
/** Bytes of all texts of a message. */
const MOST_TEXTS = 2 * MOST_TEXT;

/** Scans a message and takes from it what `readMaterial` needs. */
export async function gatherMaterial(raw: RawMail): Promise<MailMaterial> {
  const scan = await scanMail(raw);
  const { text, html, attachments } = bodyParts(scan.parts);
  await nameParts(raw, attachments);
  const material: MailMaterial = { ...scan, texts: new Map() };
  let room = MOST_TEXTS;
  for (const part of new Set([...text, ...html])) {
    const bytes = await beginning(raw, part, Math.min(MOST_TEXT, room));
    room -= bytes.length;
    if (bytes.length < part.size) material.truncated = true;
    material.texts.set(part.path, bytes);
  }
  return material;
}

async function beginning(raw: RawMail, part: ScannedPart, most: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  if (most > 0)
    for await (const piece of partContent(raw, part)) {
      pieces.push(piece.subarray(0, most - size));
      size += Math.min(piece.length, most - size);
      if (size >= most) break;
    }
  const [first] = pieces;
  // A copy of what is a small part of other bytes: a thread would get those, too.
  return pieces.length === 1 && first!.buffer.byteLength < 2 * size ? first! : Buffer.concat(pieces);
}
