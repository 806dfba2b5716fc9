import { MAX_TEXT } from '../text-limits.ts';
import { findBodyParts } from './body-parts.ts';
import { nameParts } from './name-parts.ts';
import { readPartContent } from './part-content.ts';
import { type RawMail, scanMail } from './raw.ts';
import type { ScannedPart } from './scan.ts';
import { unpackParts } from './unpack-parts.ts';

/**
 * The input of `parseMailSource`. Its size does not depend on attachments, and it can be transferred to a worker
 * thread.
 */
export interface MailSource {
  header: Uint8Array;
  parts: ScannedPart[];
  size: number;
  truncated: boolean;
  /** Decoded beginnings of the text bodies, by part path. */
  texts: Map<string, Uint8Array>;
}

/** Maximum bytes read per text part. Suffices for `MAX_TEXT` characters of up to four bytes. */
const MAX_PART_TEXT_BYTES = 4 * MAX_TEXT + 1024;
const MAX_TOTAL_TEXT_BYTES = 2 * MAX_PART_TEXT_BYTES;

export async function loadMailSource(raw: RawMail): Promise<MailSource> {
  const scan = await scanMail(raw);
  const parts = await unpackParts(raw, scan.parts);
  const { text, html, attachments } = findBodyParts(parts);
  await nameParts(raw, attachments);
  const mailSource: MailSource = { ...scan, parts, texts: new Map() };
  let remaining = MAX_TOTAL_TEXT_BYTES;
  for (const part of new Set([...text, ...html])) {
    const bytes = await readBeginning(raw, part, Math.min(MAX_PART_TEXT_BYTES, remaining));
    remaining -= bytes.length;
    if (bytes.length < part.size) mailSource.truncated = true;
    mailSource.texts.set(part.path, bytes);
  }
  return mailSource;
}

async function readBeginning(raw: RawMail, part: ScannedPart, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  if (maxBytes > 0)
    for await (const chunk of readPartContent(raw, part)) {
      chunks.push(chunk.subarray(0, maxBytes - size));
      size += Math.min(chunk.length, maxBytes - size);
      if (size >= maxBytes) break;
    }
  const [first] = chunks;
  // Copies a small view of a larger buffer, because the transfer to a thread would include the whole buffer.
  return chunks.length === 1 && first!.buffer.byteLength < 2 * size ? first! : Buffer.concat(chunks);
}
