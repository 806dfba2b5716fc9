import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum concurrent requests per connection. Further pipelined requests wait. */
export const MAX_PIPELINED_REQUESTS = 16;

interface Pipeline {
  socket: Socket;
  running: Set<ServerResponse>;
  waiting: [IncomingMessage, ServerResponse][];
}

interface PipelineLimiter {
  listener: RequestListener;
  areBusy(): boolean;
}

/**
 * Limits the concurrent requests on a connection that pipelines them (RFC 9112 9.3.2). While requests wait, the
 * connection is not read. The body of the last request may be incomplete. The rest of it is read when that request
 * runs, because no other request is waiting then.
 */
export function createPipelineLimiter(result: RequestListener): PipelineLimiter {
  const pipelines = new WeakMap<Socket, Pipeline>();
  const busy = new Set<Pipeline>();

  function createPipeline(socket: Socket): Pipeline {
    const line: Pipeline = { socket, running: new Set(), waiting: [] };
    pipelines.set(socket, line);
    socket.once('close', () => {
      line.waiting = [];
      busy.delete(line);
      // Node closes only the response that is being sent. The others have no socket yet.
      for (const response of line.running) if (!response.socket) response.destroy().emit('close');
    });
    return line;
  }

  function startPipelinedRequest(line: Pipeline, request: IncomingMessage, response: ServerResponse): void {
    line.running.add(response);
    busy.add(line);
    response.once('close', () => {
      line.running.delete(response);
      // Lets other connections go first, because a response may finish immediately.
      if (line.waiting.length > 0) setImmediate(startNextRequest, line);
      else if (line.running.size === 0) busy.delete(line);
    });
    result(request, response);
  }

  function startNextRequest(line: Pipeline): void {
    const first = line.waiting.shift();
    if (!first) return;
    if (line.waiting.length === 0) resumeReading(line);
    startPipelinedRequest(line, ...first);
  }

  return {
    listener(request, response) {
      const line = pipelines.get(request.socket) ?? createPipeline(request.socket);
      if (line.running.size < MAX_PIPELINED_REQUESTS && line.waiting.length === 0)
        return startPipelinedRequest(line, request, response);
      if (line.waiting.length === 0) pauseReading(line);
      line.waiting.push([request, response]);
    },
    areBusy: () => busy.size > 0,
  };
}

/** Overrides `resume`, because Node calls it after each response and when a body is read. */
function pauseReading({ socket }: Pipeline): void {
  socket.pause();
  socket.resume = () => socket;
}

function resumeReading({ socket }: Pipeline): void {
  Reflect.deleteProperty(socket, 'resume');
  socket.resume();
}
