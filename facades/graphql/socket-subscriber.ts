import type { ServerResponse } from 'node:http';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { StreamSubscriber } from '../../src/engine/live/group.ts';
import { limits } from '../../src/limits.ts';
import { encodeChunk, HEARTBEAT_FRAME } from './frames.ts';

interface SocketSubscriber extends StreamSubscriber {
  /** Sends the headers and the frames received so far. */
  open(headers: Record<string, string>, resync: () => Promise<Buffer>): void;
}

const BEATS = encodeChunk(HEARTBEAT_FRAME);

/**
 * Writes frames directly to the socket, because a stream of the Fetch API takes four times the memory. Frames that a
 * client does not read are buffered up to a limit. Beyond it, frames are dropped until the buffer is empty, and the
 * client is told to reload.
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

  /** Pauses until the client has read the buffer, and disconnects a client that is too slow. */
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
