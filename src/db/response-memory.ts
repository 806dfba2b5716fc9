import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import type { ResponseSocket } from './connection-limiter.ts';

const MAX_WAITING_RESPONSE_BYTES = 512 * 1024 * 1024;
/** Minimum reading speed of a client for a large response, in bytes per second. Slower clients are disconnected. */
export const MIN_READ_RATE = 64 * 1024;
/** Milliseconds after which `MIN_READ_RATE` applies. */
const READ_RATE_GRACE_MS = 20_000;

export interface ResponseMemory {
  /**
   * Counts a response against its workspace until the client has read it or disconnects. Disconnects slow clients.
   * @throws BUSY if the responses of the workspace, or of all workspaces, exceed their limit
   */
  track(workspace: number, bytes: number, outgoingSocket: ResponseSocket | undefined): void;
}

interface PendingResponse {
  outgoing: ResponseSocket;
  bytes: number;
  /** Time when the response was complete, and the number of bytes left to send at that time. */
  offered: { at: number; bytes: number } | null;
}

const CHECK_INTERVAL_MS = 1_000;

export function createResponseMemory(): ResponseMemory {
  const bytesByWorkspace = new Map<number, number>();
  const pendingResponses = new Map<ResponseSocket, PendingResponse>();
  let all = 0;
  let timer: NodeJS.Timeout | undefined;

  function addBytes(workspace: number, bytes: number): void {
    all += bytes;
    const heldBytes = (bytesByWorkspace.get(workspace) ?? 0) + bytes;
    if (heldBytes > 0) bytesByWorkspace.set(workspace, heldBytes);
    else bytesByWorkspace.delete(workspace);
  }

  function checkReaders(): void {
    const now = performance.now();
    for (const response of pendingResponses.values())
      if (isTooSlow(response, now)) response.outgoing.destroy();
    if (pendingResponses.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  return {
    track(workspace, bytes, outgoingSocket) {
      if (!outgoingSocket || outgoingSocket.destroyed) return;
      const heldBytes = bytesByWorkspace.get(workspace) ?? 0;
      if (heldBytes + bytes > limits.http.answersOfOne || all + bytes > MAX_WAITING_RESPONSE_BYTES)
        throw errors.busy('Too many large responses are waiting to be read. Try again.');
      addBytes(workspace, bytes);
      const known = pendingResponses.get(outgoingSocket);
      if (known) {
        known.bytes += bytes;
        return;
      }
      const response: PendingResponse = { outgoing: outgoingSocket, bytes, offered: null };
      pendingResponses.set(outgoingSocket, response);
      timer ??= setInterval(checkReaders, CHECK_INTERVAL_MS).unref();
      outgoingSocket.once('close', () => {
        pendingResponses.delete(outgoingSocket);
        addBytes(workspace, -response.bytes);
      });
    },
  };
}

function isTooSlow(response: PendingResponse, now: number): boolean {
  const { outgoing } = response;
  if (!outgoing.writableEnded) return false;
  response.offered ??= { at: now, bytes: outgoing.writableLength };
  const seconds = (now - response.offered.at - READ_RATE_GRACE_MS) / 1000;
  return seconds > 0 && response.offered.bytes - outgoing.writableLength < seconds * MIN_READ_RATE;
}
