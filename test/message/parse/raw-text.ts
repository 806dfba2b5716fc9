import { readPartContent } from '../../../src/message/parse/part-content.ts';
import { type RawMail, toRawMail } from '../../../src/message/parse/raw.ts';
import { createMessageScanner, type MailScan } from '../../../src/message/parse/scan.ts';

/** Joins the lines with CRLF. Each character becomes one byte. */
export const toBytes = (...lines: string[]): Buffer => Buffer.from(`${lines.join('\r\n')}\r\n`, 'latin1');

export const buildRawMail = (...lines: string[]) => toRawMail(toBytes(...lines));

export function scanInPieces(bytes: Uint8Array, sizes: number[]): MailScan {
  const scanner = createMessageScanner();
  for (let index = 0, no = 0; index < bytes.length; no++) {
    const size = Math.max(1, sizes[no % sizes.length]!);
    scanner.push(bytes.subarray(index, index + size));
    index += size;
  }
  return scanner.end();
}

export async function readContent(
  raw: RawMail,
  part: Parameters<typeof readPartContent>[1],
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readPartContent(raw, part)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
