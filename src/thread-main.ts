import { parentPort } from 'node:worker_threads';
import { AppError } from './errors.ts';
import { type RebuildSteps, splitIntoChunks } from './value-chunks.ts';

// Entry point of the worker thread in `src/thread.ts`.

/** The thread calls the default export of `module` with `input`. */
export interface ThreadTask {
  module: string;
  input: unknown;
}

/** Part of the result, its end, or the error that was thrown. */
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
