import { errors } from '../errors.ts';
import { limits } from '../limits.ts';

/** How fast a body comes: the time its sender has been waited for, and no other, counts. */
export interface Patience {
  /**
   * Waits for the next bytes.
   * @param size bytes that have come, or that come now
   * @throws BAD_REQUEST with the HTTP status 408 when the sender takes too long
   */
  wait<T>(next: Promise<T>, size: number): Promise<T>;
}

export function createPatience(): Patience {
  let waited = 0;
  return {
    async wait(next, size) {
      const left = limits.http.bodyGrace + (size / limits.http.bodyRate) * 1000 - waited;
      const started = performance.now();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(errors.bodyTooSlow()), left);
      });
      try {
        return await Promise.race([next, late]);
      } finally {
        clearTimeout(timer);
        waited += performance.now() - started;
      }
    },
  };
}

/** The chunks of a body that is not kept as a whole, at the pace that is asked of every sender. */
export function pacedStream(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pace = createPatience();
  let size = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await pace.wait(reader.read(), size);
          if (done) return controller.close();
          size += value.byteLength;
          controller.enqueue(value);
        } catch (error) {
          reader.cancel().catch(() => undefined);
          throw error;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
