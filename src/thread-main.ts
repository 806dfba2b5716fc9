import { parentPort } from 'node:worker_threads';
import { AppError } from './errors.ts';
import { cut, type Steps } from './pieces.ts';

// What runs in the thread of `src/thread.ts`.

/** Work for the thread: the default export of `module` is called with `input`. */
export interface Order {
  module: string;
  input: unknown;
}

/** What the thread says: one piece of the result, that it was the last one, or what was thrown. */
export type Report =
  | { piece: Steps }
  | { end: true }
  | { fault: { name: string; message: string; kind?: AppError['kind']; status?: number } };

const port = parentPort!;
let pieces: Generator<Steps> | null = null;

port.on('message', async (order: Order | 'more') => {
  try {
    if (order !== 'more') {
      const { default: run } = (await import(order.module)) as { default: (input: unknown) => unknown };
      pieces = cut(run(order.input));
    }
    next();
  } catch (error) {
    pieces = null;
    port.postMessage({ fault: faultOf(error as Error) } satisfies Report);
  }
});

/** The next piece is made when the last one has been taken over. */
function next(): void {
  const { value, done } = pieces!.next();
  if (done) pieces = null;
  port.postMessage((done ? { end: true } : { piece: value }) satisfies Report);
}

function faultOf(error: Error) {
  const { name, message } = error;
  return error instanceof AppError
    ? { name, message, kind: error.kind, status: error.status }
    : { name, message };
}
