import { createBodyTimeout } from './body-timeout.ts';

/**
 * Yields the body in chunks, for code that does not buffer it.
 * @throws BAD_REQUEST with the HTTP status 408 if it arrives too slowly
 */
export async function* readBodyChunks({ body }: Request): AsyncGenerator<Buffer> {
  if (!body) return;
  const reader = body.getReader();
  const pace = createBodyTimeout();
  let size = 0;
  try {
    for (;;) {
      const { value, done } = await pace.wait(reader.read(), size);
      if (done) return;
      size += value.byteLength;
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
