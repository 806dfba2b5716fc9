import { Worker } from 'node:worker_threads';
import { AppError, errors } from './errors.ts';
import { createFairQueue } from './fair-queue.ts';
import type { ThreadMessage, ThreadTask } from './thread-main.ts';
import { createChunkJoiner } from './value-chunks.ts';

// Runs work that would block the event loop in one worker thread, one task at a time.

const MAX_THREAD_MEGABYTES = 1_024;
const THREAD_IDLE_TIMEOUT_MS = 10_000;

/** A workspace id, or 0 for an unauthenticated caller. */
export type TaskOwner = number;

interface ThreadOptions {
  /** Buffers in the input that are transferred instead of copied. */
  transfer?: ArrayBuffer[];
  /** Time limit in milliseconds. No limit by default. */
  ms?: number;
}

const runFairly = createFairQueue();
let thread: Worker | null = null;
let idle: NodeJS.Timeout | undefined;

/**
 * Calls the default export of a module with `input` in the worker thread. The result, which must be JSON data, is
 * received in pieces so that it blocks no other request. Owners are served in turn.
 * @throws the module's AppError, SyntaxError or TypeError unchanged; BUSY if it takes longer than `ms`
 */
export function runInThread<T>(module: URL, input: unknown, owner: TaskOwner, options: ThreadOptions = {}) {
  return runFairly({ workspaceId: owner, userId: 0 }, async () => {
    clearTimeout(idle);
    try {
      return (await runTask({ module: module.href, input }, options)) as T;
    } finally {
      // Frees the memory that the parsers used.
      idle = setTimeout(stopThread, THREAD_IDLE_TIMEOUT_MS).unref();
    }
  });
}

function runTask(task: ThreadTask, { transfer, ms }: ThreadOptions): Promise<unknown> {
  const worker = getThread();
  const result = createChunkJoiner();
  return new Promise((resolve, reject) => {
    const finish = (end: () => void) => {
      worker.off('message', handleMessage);
      worker.off('error', fail);
      clearTimeout(clock);
      end();
    };
    const fail = (error: Error) => {
      stopThread();
      finish(() => reject(isOutOfMemory(error) ? errors.tooMuchToParse() : error));
    };
    const handleMessage = (report: ThreadMessage) => {
      if ('fault' in report) return finish(() => reject(toThrownError(report.fault)));
      if ('end' in report) return finish(() => resolve(result.value()));
      result.take(report.piece);
      // Handles other requests first.
      setImmediate(() => worker.postMessage('more'));
    };
    const clock = ms === undefined ? undefined : setTimeout(() => fail(errors.busy(TIMEOUT_MESSAGE)), ms);
    worker.on('message', handleMessage);
    worker.on('error', fail);
    worker.postMessage(task, transfer);
  });
}

const TIMEOUT_MESSAGE = 'The work took too long and was stopped.';

function getThread(): Worker {
  if (thread) return thread;
  const worker = new Worker(new URL('./thread-main.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: MAX_THREAD_MEGABYTES },
  });
  // A thread can fail without a task, for example out of memory after a timeout. Unhandled, this would end the process.
  worker.on('error', () => {
    if (thread === worker) thread = null;
  });
  worker.unref();
  thread = worker;
  return worker;
}

function stopThread(): void {
  void thread?.terminate();
  thread = null;
}

const isOutOfMemory = (error: Error & { code?: string }): boolean =>
  error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const BUILTIN_ERRORS: Record<string, new (message: string) => Error> = { SyntaxError, TypeError };

function toThrownError({
  name,
  message,
  kind,
  status,
}: Extract<ThreadMessage, { fault: object }>['fault']): Error {
  return kind ? new AppError(kind, message, status) : new (BUILTIN_ERRORS[name] ?? Error)(message);
}
