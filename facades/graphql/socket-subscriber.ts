import type { ServerResponse } from 'node:http';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { StreamSubscriber } from '../../src/engine/live/group.ts';
import { limits } from '../../src/limits.ts';
import { encodeChunk, HEARTBEAT_FRAME } from './frames.ts';

/** The connection of a subscriber. */
interface SocketSubscriber extends StreamSubscriber {
  /** Sends the headers and what has come before them. */
  open(headers: Record<string, string>, resync: () => Promise<Buffer>): void;
}

const BEATS = encodeChunk(HEARTBEAT_FRAME);

/**
 * Frames go to the socket as they are, since a stream of the Fetch API costs four times the memory. What a reader does
 * not take waits up to a bound; then nothing is sent until all of that has been taken, and the reader is asked to read
 * again.
 */
export function createSocketSubscriber(
  out: ServerResponse,
  ctx: () => Promise<Ctx>,
  lastWords: (error: unknown) => string,
): SocketSubscriber {
  let early: Buffer[] | null = [];
  let resync: () => Promise<Buffer> = async () => BEATS;
  let patience: NodeJS.Timeout | null = null;
  const { socket } = out;

  /** Until the reader has taken what waits for it. */
  function startPatienceTimer(): void {
    patience = setTimeout(() => out.destroy(), limits.live.patience).unref();
    socket!.once('drain', () => {
      clearTimeout(patience!);
      resync()
        .then((frames) => {
          patience = null;
          socket!.write(frames);
        })
        .catch(() => out.destroy());
    });
  }

  return {
    ctx,
    send(frames) {
      if (early) early.push(frames);
      else if (patience || out.destroyed) return;
      else if (socket!.writableLength > limits.live.buffer) startPatienceTimer();
      else socket!.write(frames);
    },
    sendHeartbeat() {
      if (!early && !patience && !out.destroyed) socket!.write(BEATS);
    },
    end(error) {
      if (early || out.destroyed) out.destroy();
      else out.end(error ? lastWords(error) : '');
    },
    open(headers, again) {
      resync = again;
      out.once('close', () => clearTimeout(patience ?? undefined));
      out.writeHead(200, headers);
      out.write(HEARTBEAT_FRAME);
      for (const frames of early ?? []) socket!.write(frames);
      early = null;
    },
  };
}
