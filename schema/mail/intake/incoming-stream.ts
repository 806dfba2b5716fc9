import { MAX_SMALL_BLOB_BYTES } from '../../../src/db/blobs/put.ts';

/** A small message as a whole, of a larger one a stream with all of it. */
export async function bufferSmallMessage(
  rest: AsyncIterator<Buffer>,
): Promise<Buffer | AsyncIterable<Buffer>> {
  const pieces: Buffer[] = [];
  for (let size = 0; size <= MAX_SMALL_BLOB_BYTES; size += pieces.at(-1)!.length) {
    const next = await rest.next();
    if (next.done) return Buffer.concat(pieces);
    pieces.push(next.value);
  }
  return (async function* () {
    yield* pieces;
    yield* { [Symbol.asyncIterator]: () => rest };
  })();
}

/** No mailbox has room for a message of this size. */
export class QuotaExceededError extends Error {
  readonly size: number;

  constructor(size: number) {
    super(`No mailbox has room for ${size} bytes.`);
    this.size = size;
  }
}

/** Beyond `most` bytes only the size of the rest is found out. @throws NoRoom at the end of such a one */
export async function* readUpTo(maxBytes: number, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const piece of source) {
    size += piece.length;
    if (size <= maxBytes) yield piece;
  }
  if (size > maxBytes) throw new QuotaExceededError(size);
}
