import { MAX_SMALL_BLOB_BYTES } from '../../../src/db/blobs/put.ts';

/** Reads a message: a small one into a buffer, a larger one as a stream. */
export async function bufferSmallMessage(
  rest: AsyncIterator<Buffer>,
): Promise<Buffer | AsyncIterable<Buffer>> {
  const chunks: Buffer[] = [];
  for (let size = 0; size <= MAX_SMALL_BLOB_BYTES; size += chunks.at(-1)!.length) {
    const next = await rest.next();
    if (next.done) return Buffer.concat(chunks);
    chunks.push(next.value);
  }
  return (async function* () {
    yield* chunks;
    yield* { [Symbol.asyncIterator]: () => rest };
  })();
}

export class QuotaExceededError extends Error {
  readonly size: number;

  constructor(size: number) {
    super(`No mailbox has room for ${size} bytes.`);
    this.size = size;
  }
}

/**
 * Yields up to `maxBytes` bytes, and reads the rest only to measure it.
 * @throws QuotaExceededError at the end of a longer stream
 */
export async function* readUpTo(maxBytes: number, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.length;
    if (size <= maxBytes) yield chunk;
  }
  if (size > maxBytes) throw new QuotaExceededError(size);
}
