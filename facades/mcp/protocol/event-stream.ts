/** A response as server-sent events: messages about a call, followed by its response. */
export interface EventStream {
  /** Sends a message. The first one opens the stream. */
  send(message: object): void;
  opened: Promise<ReadableStream<Uint8Array>>;
  /** @param text the response, or null if none exists */
  end(text: string | null): void;
}

const encoder = new TextEncoder();

export function createEventStream(): EventStream {
  const { promise: opened, resolve: open } = Promise.withResolvers<ReadableStream<Uint8Array>>();
  let out: ReadableStreamDefaultController<Uint8Array> | null | undefined;
  // JSON contains raw line breaks only between tokens.
  const write = (text: string) =>
    out?.enqueue(encoder.encode(`event: message\ndata: ${text.replaceAll('\n', ' ')}\n\n`));
  return {
    opened,
    send(message) {
      if (out === undefined)
        open(
          new ReadableStream({
            start(controller) {
              out = controller;
            },
            cancel() {
              out = null;
            },
          }),
        );
      write(JSON.stringify({ jsonrpc: '2.0', ...message }));
    },
    end(text) {
      if (text !== null) write(text);
      out?.close();
    },
  };
}
