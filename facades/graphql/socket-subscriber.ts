import type { ServerResponse } from 'node:http';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { StreamSubscriber } from '../../src/engine/live/group.ts';
import { createStreamEncoder, HEARTBEAT_FRAME } from './frames.ts';

/** Maximum number of bytes buffered for a slow client. */
const MAX_BUFFERED_CLIENT_BYTES = 64 * 1024;
/** A client that reads nothing for this long is disconnected. */
const STALLED_CLIENT_TIMEOUT_MS = 60_000;

interface SocketSubscriber extends StreamSubscriber {
  /** Sends the headers and all frames passed to `send` so far. */
  open(headers: Record<string, string>, resync: () => Promise<Buffer>): void;
}

/**
 * Writes frames directly to the socket, because a Fetch API stream takes four times the memory. Frames that a client
 * does not read are buffered up to a limit. Beyond the limit, frames are dropped until the buffer is empty, and then
 * the client is told to reload.
 */
export function createSocketSubscriber(
  out: ServerResponse,
  ctx: () => Promise<Ctx>,
  renderError: (error: unknown) => string,
): SocketSubscriber {
  let framesBeforeOpen: Buffer[] | null = [];
  let resync: () => Promise<Buffer> = async () => HEARTBEAT_FRAME;
  let drainTimer: NodeJS.Timeout | null = null;
  let encoder = createStreamEncoder(false);
  const { socket } = out;
  const write = (frames: Buffer) => {
    if (!out.writableEnded && !out.destroyed) socket!.write(encoder.encodeChunk(frames));
  };

  /** Pauses until the client has read the buffer. Disconnects a client that is too slow. */
  function startDrainTimer(): void {
    drainTimer = setTimeout(() => out.destroy(), STALLED_CLIENT_TIMEOUT_MS).unref();
    socket!.once('drain', () => {
      clearTimeout(drainTimer!);
      resync()
        .then((frames) => {
          drainTimer = null;
          write(frames);
        })
        .catch(() => out.destroy());
    });
  }

  return {
    ctx,
    send(frames) {
      if (framesBeforeOpen) framesBeforeOpen.push(frames);
      else if (drainTimer) return;
      else if (socket!.writableLength > MAX_BUFFERED_CLIENT_BYTES) startDrainTimer();
      else write(frames);
    },
    sendHeartbeat() {
      if (!framesBeforeOpen && !drainTimer) write(HEARTBEAT_FRAME);
    },
    end(error) {
      // Several checks of the caller's rights may end the stream before its connection is closed.
      if (out.writableEnded) return;
      if (framesBeforeOpen || out.destroyed) out.destroy();
      else out.end(encoder.encodeEnd(Buffer.from(error ? renderError(error) : '')));
    },
    open(headers, renderResync) {
      resync = renderResync;
      encoder = createStreamEncoder(headers['content-encoding'] === 'gzip');
      out.once('close', () => clearTimeout(drainTimer ?? undefined));
      out.writeHead(200, headers);
      out.write(encoder.encodeStart(HEARTBEAT_FRAME));
      for (const frames of framesBeforeOpen ?? []) write(frames);
      framesBeforeOpen = null;
    },
  };
}
