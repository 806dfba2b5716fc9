import { once } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';

/** Parts of the driver's connection that its type declarations omit. */
interface CopyConnection {
  stream: Socket;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/** Maximum number of buffered bytes before reading from the server pauses. */
const MAX_BUFFERED_BYTES = 256 * 1024;

/** Yields the output of `copy … to stdout` in chunks of any length. Returns the number of rows. */
export async function* copyOut(client: pg.Client, text: string): AsyncGenerator<Buffer, number> {
  const query = new CopyOutQuery(text);
  client.query(query);
  yield* query.pieces();
  return query.rows;
}

/** Runs `copy … from stdin` with chunks of any length. Returns the number of rows. */
export async function copyIn(
  client: pg.Client,
  text: string,
  chunks: AsyncIterable<Buffer>,
): Promise<number> {
  const query = new CopyInQuery(text);
  client.query(query);
  const wire = await query.ready;
  try {
    for await (const chunk of chunks) {
      if (query.error) break;
      wire.sendCopyFromChunk(chunk);
      if (wire.stream.writableNeedDrain) await Promise.race([once(wire.stream, 'drain'), query.done]);
    }
    wire.endCopyFrom();
  } catch (error) {
    wire.sendCopyFail('the source failed');
    await query.done.catch(() => undefined);
    throw error;
  }
  return query.done;
}

/** Methods that the driver calls on a submitted query, for both copy directions. */
abstract class CopyQuery {
  rows = 0;
  error: Error | null = null;
  protected wire: CopyConnection | null = null;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  submit(connection: unknown): void {
    this.wire = connection as CopyConnection;
    this.wire.query(this.text);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.rows = Number(/^COPY (\d+)$/.exec(text)?.[1]);
  }

  handleError(error: Error): void {
    this.error = error;
    this.onEnd();
  }

  handleReadyForQuery(): void {
    this.onEnd();
  }

  protected abstract onEnd(): void;
}

class CopyOutQuery extends CopyQuery {
  private buffered: Buffer[] = [];
  private bytes = 0;
  private isOver = false;
  private wake: () => void = () => undefined;

  /** Copies the chunk, because the driver reuses its memory. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.buffered.push(Buffer.from(chunk));
    this.bytes += chunk.length;
    if (this.bytes > MAX_BUFFERED_BYTES) this.wire!.stream.pause();
    this.wake();
  }

  async *pieces(): AsyncGenerator<Buffer> {
    for (;;) {
      if (this.error) throw this.error;
      if (this.bytes > 0) {
        const chunk = Buffer.concat(this.buffered);
        this.buffered = [];
        this.bytes = 0;
        this.wire!.stream.resume();
        yield chunk;
      } else if (this.isOver) return;
      else
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
    }
  }

  protected onEnd(): void {
    this.isOver = true;
    this.wake();
  }
}

class CopyInQuery extends CopyQuery {
  readonly ready: Promise<CopyConnection>;
  readonly done: Promise<number>;
  private readonly connectionReady = Promise.withResolvers<CopyConnection>();
  private readonly finished = Promise.withResolvers<number>();

  constructor(text: string) {
    super(text);
    this.ready = this.connectionReady.promise;
    this.done = this.finished.promise;
    // Prevents an unhandled rejection if the caller only awaits `ready`.
    this.done.catch(() => undefined);
  }

  handleCopyInResponse(): void {
    this.connectionReady.resolve(this.wire!);
  }

  protected onEnd(): void {
    if (this.error) {
      this.connectionReady.reject(this.error);
      this.finished.reject(this.error);
    } else this.finished.resolve(this.rows);
  }
}
