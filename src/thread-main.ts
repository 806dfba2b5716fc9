import { parentPort } from 'node:worker_threads';
import { AppError } from './errors.ts';
import { type RebuildSteps, splitIntoChunks } from './value-chunks.ts';

// Entry point of the worker thread of `src/thread.ts`.

/** A request to the thread: the default export of `module` is called with `input`. */
export interface ThreadTask {
  module: string;
  input: unknown;
}

/** A message from the thread: a piece of the result, its end, or the thrown error. */
export type ThreadMessage =
  | { piece: RebuildSteps }
  | { end: true }
  | { fault: { name: string; message: string; kind?: AppError['kind']; status?: number } };

const port = parentPort!;
let chunks: Generator<RebuildSteps> | null = null;

port.on('message', async (order: ThreadTask | 'more') => {
  try {
    if (order !== 'more') {
      const { default: run } = (await import(order.module)) as { default: (input: unknown) => unknown };
      chunks = splitIntoChunks(run(order.input));
    }
    postNextChunk();
  } catch (error) {
    chunks = null;
    port.postMessage({ fault: toFault(error as Error) } satisfies ThreadMessage);
  }
});

/** Sends the next piece after the previous one was received. */
function postNextChunk(): void {
  const { value, done } = chunks!.next();
  if (done) chunks = null;
  port.postMessage((done ? { end: true } : { piece: value }) satisfies ThreadMessage);
}

function toFault(error: Error) {
  const { name, message } = error;
  return error instanceof AppError
    ? { name, message, kind: error.kind, status: error.status }
    : { name, message };
}
