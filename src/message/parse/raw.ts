import { createMessageScanner, type MailScan } from './scan.ts';

/** A raw message that can be read in ranges, independent of its storage. */
export interface RawMail {
  /** In bytes. */
  size: number;
  /** Streams the bytes from `from` up to, but not including, `to`. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

const PIECE_BYTES = 256 * 1024;

export const toRawMail = (bytes: Uint8Array): RawMail => ({
  size: bytes.length,
  async *read(from, to) {
    for (let at = from; at < to; at += PIECE_BYTES) yield bytes.subarray(at, Math.min(at + PIECE_BYTES, to));
  },
});

/** Finds the parts of a message without keeping it in memory. */
export async function scanMail(raw: RawMail): Promise<MailScan> {
  const scanner = createMessageScanner();
  for await (const piece of raw.read(0, raw.size)) scanner.push(piece);
  return scanner.end();
}
