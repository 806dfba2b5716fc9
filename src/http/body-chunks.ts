import { createBodyTimeout } from './body-timeout.ts';

/**
 * The body as it comes, for what is not held whole.
 * @throws BAD_REQUEST with the HTTP status 408 when it comes too slowly
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
