import { AppError, errors } from '../errors.ts';
import { limits } from '../limits.ts';

/** Minimum average speed of a body after `limits.http.bodyGrace`. */
const MIN_BYTES_PER_SECOND = 16 * 1024;

/** Enforces the minimum speed of a body. Only time spent waiting for its sender counts. */
interface BodyTimeout {
  /**
   * Waits for the next bytes.
   * @param size bytes received so far, or the announced size of a body that is read as a whole
   * @throws BAD_REQUEST if the connection ends early, or with the HTTP status 408 if the sender is too slow
   */
  wait<T>(next: Promise<T>, size: number): Promise<T>;
}

/** One timer checks all pending reads, because a timer per small body would cost more than the body. */
const pendingReads = new Set<{ due: number; late(): void }>();

const CHECK_INTERVAL_MS = 100;

let timer: NodeJS.Timeout | undefined;

function checkPendingReads(): void {
  const now = performance.now();
  for (const wait of pendingReads) {
    if (wait.due > now) continue;
    pendingReads.delete(wait);
    wait.late();
  }
  if (pendingReads.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

export function createBodyTimeout(): BodyTimeout {
  let waitedCount = 0;
  return {
    wait: (next, size) =>
      new Promise((resolve, reject) => {
        const startTime = performance.now();
        const due = startTime + limits.http.bodyGrace + (size / MIN_BYTES_PER_SECOND) * 1000 - waitedCount;
        const wait = { due, late: () => reject(errors.bodyTooSlow()) };
        const stopWaiting = () => {
          pendingReads.delete(wait);
          waitedCount += performance.now() - startTime;
        };
        pendingReads.add(wait);
        timer ??= setInterval(checkPendingReads, CHECK_INTERVAL_MS).unref();
        next.then(
          (value) => {
            stopWaiting();
            resolve(value);
          },
          (error) => {
            stopWaiting();
            // The connection failed, not this server.
            reject(error instanceof AppError ? error : errors.bodyCut());
          },
        );
      }),
  };
}

/** Enforces the minimum speed for a body that is not buffered. */
export function addBodyTimeout(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  const pace = createBodyTimeout();
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

/**
 * Yields the body in chunks, for code that does not buffer it.
 * @throws BAD_REQUEST with the HTTP status 408 if it arrives too slowly
 */
export async function* readBodyChunks({ body }: Request): AsyncGenerator<Buffer> {
  if (!body) return;
  for await (const { buffer, byteOffset, byteLength } of addBodyTimeout(body))
    yield Buffer.from(buffer, byteOffset, byteLength);
}
