/**
 * Pieces of text, or of bytes, as the body of an answer, read no faster than the client takes them; a client that
 * goes away ends them. The first piece is waited for, so that what goes wrong before it is still answered with a
 * refusal; what goes wrong later aborts the connection and is passed to `onCut`.
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
