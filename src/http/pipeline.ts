import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../limits.ts';

/** What one connection has asked and has no answer to yet. */
interface Pipeline {
  socket: Socket;
  running: number;
  waiting: [IncomingMessage, ServerResponse][];
}

interface PipelineLimiter {
  listener: RequestListener;
  /** Whether a connection waits for an answer. */
  areBusy(): boolean;
}

/**
 * Bounds the requests that one connection has running when it sends more before it has its answers (RFC 9112 section
 * 9.3.2). What else has come with them waits, and the connection is read again when none waits. The last one that came
 * may lack some of its body, which is read once it runs, as then none waits.
 */
export function createPipelineLimiter(answer: RequestListener): PipelineLimiter {
  const pipelines = new WeakMap<Socket, Pipeline>();
  const busy = new Set<Pipeline>();

  function createPipeline(socket: Socket): Pipeline {
    const line: Pipeline = { socket, running: 0, waiting: [] };
    pipelines.set(socket, line);
    socket.once('close', () => {
      line.waiting = [];
      busy.delete(line);
    });
    return line;
  }

  function run(line: Pipeline, request: IncomingMessage, response: ServerResponse): void {
    line.running++;
    busy.add(line);
    response.once('close', () => {
      line.running--;
      // Other connections come first: an answer may take no longer than it takes to write.
      if (line.waiting.length > 0) setImmediate(next, line);
      else if (line.running === 0) busy.delete(line);
    });
    answer(request, response);
  }

  function next(line: Pipeline): void {
    const first = line.waiting.shift();
    if (!first) return;
    if (line.waiting.length === 0) resumeReading(line);
    run(line, ...first);
  }

  return {
    listener(request, response) {
      const line = pipelines.get(request.socket) ?? createPipeline(request.socket);
      if (line.running < limits.http.pipelined && line.waiting.length === 0)
        return run(line, request, response);
      if (line.waiting.length === 0) pauseReading(line);
      line.waiting.push([request, response]);
    },
    areBusy: () => busy.size > 0,
  };
}

/** Node itself would read on whenever an answer has been written, or a body is wanted. */
function pauseReading({ socket }: Pipeline): void {
  socket.pause();
  socket.resume = () => socket;
}

function resumeReading({ socket }: Pipeline): void {
  Reflect.deleteProperty(socket, 'resume');
  socket.resume();
}
