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
  let first: Awaited<ReturnType<typeof iterator.next>> | undefined = await iterator.next();
  return new ReadableStream(
    {
      // Fails only while a chunk is awaited. Otherwise, the server would send the error's text and end the response.
      async pull(controller) {
        try {
          const { done, value } = first ?? (await iterator.next());
          first = undefined;
          if (done) controller.close();
          else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value);
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
