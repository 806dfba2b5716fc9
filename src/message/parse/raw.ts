import { yieldToOthers } from '../../loop/yield.ts';
import { createMessageScanner, type MailScan } from './scan.ts';

/** A raw message that can be read in ranges, regardless of its storage. */
export interface RawMail {
  size: number;
  /** Streams the bytes from `from` (inclusive) to `to` (exclusive). */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}

const PIECE_BYTES = 256 * 1024;

export const toRawMail = (bytes: Uint8Array): RawMail => ({
  size: bytes.length,
  async *read(from, to) {
    for (let start = from; start < to; start += PIECE_BYTES)
      yield bytes.subarray(start, Math.min(start + PIECE_BYTES, to));
  },
});

/** Bytes to scan between yields to the event loop. Scanning takes longest if they contain only short lines. */
const SCAN_BYTES = 64 * 1024;

/** Finds the parts of a message without keeping it in memory. */
export async function scanMail(raw: RawMail): Promise<MailScan> {
  const scanner = createMessageScanner();
  for await (const chunk of raw.read(0, raw.size))
    for (let from = 0; from < chunk.length; from += SCAN_BYTES) {
      const pause = yieldToOthers();
      if (pause) await pause;
      scanner.push(chunk.subarray(from, from + SCAN_BYTES));
    }
  return scanner.end();
}
