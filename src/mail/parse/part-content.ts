import type { RawMail } from './raw.ts';
import type { ScannedPart } from './scan.ts';
import { createTransferDecoder } from './transfer.ts';

/** Streams the decoded body of a part. Its length is `part.size`. */
export async function* readPartContent(
  raw: RawMail,
  part: Pick<ScannedPart, 'bodyFrom' | 'bodyTo' | 'encoding'>,
): AsyncGenerator<Uint8Array> {
  const decoder = createTransferDecoder(part.encoding);
  for await (const piece of raw.read(part.bodyFrom, part.bodyTo)) {
    const bytes = decoder ? decoder.write(piece) : piece;
    if (bytes.length > 0) yield bytes;
  }
  const rest = decoder?.end();
  if (rest && rest.length > 0) yield rest;
}
