/**
 * Streams chunks as a response body, at the client's speed. If the client disconnects, the iteration ends. Waits for
 * the first chunk, so that an earlier error still causes an error response. A later error aborts the connection and is
 * passed to `onCut`.
 */
export async function streamBody(
  chunks: AsyncIterable<string | Uint8Array>,
  onCut: (error: unknown) => void,
): Promise<ReadableStream<Uint8Array>> {
  const iterator = chunks[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let next = await iterator.next();
  return new ReadableStream(
    {
      async pull(controller) {
        if (!next.done)
          controller.enqueue(typeof next.value === 'string' ? encoder.encode(next.value) : next.value);
        try {
          next = next.done ? next : await iterator.next();
          if (next.done) controller.close();
        } catch (error) {
          onCut(error);
          throw error;
        }
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    { highWaterMark: 0 },
  );
}
