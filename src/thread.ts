import { Worker } from 'node:worker_threads';
import { AppError, errors } from './errors.ts';
import { limits } from './limits.ts';
import type { ThreadMessage, ThreadTask } from './thread-main.ts';
import { createChunkJoiner } from './value-chunks.ts';

// Work that would block the event loop is done in one other thread, a piece of work at a time.

/** On whose account something is done: the id of a workspace, 0 for a caller who is not known. */
export type TaskOwner = number;

interface QueuedTask extends ThreadOptions {
  order: ThreadTask;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export interface ThreadOptions {
  /** Buffers in the input that are handed over and not copied. */
  transfer?: ArrayBuffer[];
  /** Milliseconds that the work itself may take; without them it takes as long as it takes. */
  ms?: number;
}

/** Jobs that wait, by holder; the holder that was served last stands last. */
const queuedTasks = new Map<TaskOwner, QueuedTask[]>();
let thread: Worker | null = null;
let isBusy = false;
let idle: NodeJS.Timeout | undefined;

/**
 * Calls the default export of a module with `input` in the other thread. The result, data of JSON, is taken over in
 * pieces, so no other request waits for it; holders take turns.
 * @throws what the module throws: an AppError, SyntaxError or TypeError as it is; BUSY when it takes longer than `ms`
 */
export function runInThread<T>(module: URL, input: unknown, holder: TaskOwner, options: ThreadOptions = {}) {
  return new Promise<T>((resolve, reject) => {
    const job = { order: { module: module.href, input }, ...options, resolve, reject } as QueuedTask;
    const queue = queuedTasks.get(holder);
    if (queue) queue.push(job);
    else queuedTasks.set(holder, [job]);
    if (!isBusy) void drainQueue();
  });
}

async function drainQueue(): Promise<void> {
  isBusy = true;
  clearTimeout(idle);
  for (let job = dequeueTask(); job; job = dequeueTask()) await runTask(job).then(job.resolve, job.reject);
  isBusy = false;
  // What a parser has used is given back with the thread.
  idle = setTimeout(stopThread, limits.thread.idleTime).unref();
}

function dequeueTask(): QueuedTask | undefined {
  const [first] = queuedTasks;
  if (!first) return undefined;
  const [holder, queue] = first;
  const job = queue.shift();
  queuedTasks.delete(holder);
  if (queue.length > 0) queuedTasks.set(holder, queue);
  return job;
}

function runTask({ order, transfer, ms }: QueuedTask): Promise<unknown> {
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
      // Other requests get their turn first.
      setImmediate(() => worker.postMessage('more'));
    };
    const clock = ms === undefined ? undefined : setTimeout(() => fail(errors.busy(TIMEOUT_MESSAGE)), ms);
    worker.on('message', handleMessage);
    worker.on('error', fail);
    worker.postMessage(order, transfer);
  });
}

const TIMEOUT_MESSAGE = 'The work took too long and was stopped.';

function getThread(): Worker {
  if (thread) return thread;
  thread = new Worker(new URL('./thread-main.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.thread.megabytes },
  });
  thread.unref();
  return thread;
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
