import { Worker } from 'node:worker_threads';
import { AppError, errors } from './errors.ts';
import { limits } from './limits.ts';
import { joiner } from './pieces.ts';
import type { Order, Report } from './thread-main.ts';

// Work that would block the event loop is done in one other thread, a piece of work at a time.

/** On whose account something is done: the id of a workspace, 0 for a caller who is not known. */
export type Holder = number;

interface Job extends InThreadOptions {
  order: Order;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export interface InThreadOptions {
  /** Buffers in the input that are handed over and not copied. */
  transfer?: ArrayBuffer[];
  /** Milliseconds that the work itself may take; without them it takes as long as it takes. */
  ms?: number;
}

/** Jobs that wait, by holder; the holder that was served last stands last. */
const waiting = new Map<Holder, Job[]>();
let thread: Worker | null = null;
let isBusy = false;
let idle: NodeJS.Timeout | undefined;

/**
 * Calls the default export of a module with `input` in the other thread. The result, data of JSON, is taken over in
 * pieces, so no other request waits for it; holders take turns.
 * @throws what the module throws: an AppError, SyntaxError or TypeError as it is; BUSY when it takes longer than `ms`
 */
export function inThread<T>(module: URL, input: unknown, holder: Holder, options: InThreadOptions = {}) {
  return new Promise<T>((resolve, reject) => {
    const job = { order: { module: module.href, input }, ...options, resolve, reject } as Job;
    const queue = waiting.get(holder);
    if (queue) queue.push(job);
    else waiting.set(holder, [job]);
    if (!isBusy) void work();
  });
}

async function work(): Promise<void> {
  isBusy = true;
  clearTimeout(idle);
  for (let job = nextJob(); job; job = nextJob()) await run(job).then(job.resolve, job.reject);
  isBusy = false;
  // What a parser has used is given back with the thread.
  idle = setTimeout(stop, limits.thread.idleTime).unref();
}

function nextJob(): Job | undefined {
  const [first] = waiting;
  if (!first) return undefined;
  const [holder, queue] = first;
  const job = queue.shift();
  waiting.delete(holder);
  if (queue.length > 0) waiting.set(holder, queue);
  return job;
}

function run({ order, transfer, ms }: Job): Promise<unknown> {
  const worker = started();
  const result = joiner();
  return new Promise((resolve, reject) => {
    const settle = (end: () => void) => {
      worker.off('message', take);
      worker.off('error', fail);
      clearTimeout(clock);
      end();
    };
    const fail = (error: Error) => {
      stop();
      settle(() => reject(isOutOfMemory(error) ? errors.tooMuchToParse() : error));
    };
    const take = (report: Report) => {
      if ('fault' in report) return settle(() => reject(thrown(report.fault)));
      if ('end' in report) return settle(() => resolve(result.value()));
      result.take(report.piece);
      // Other requests get their turn first.
      setImmediate(() => worker.postMessage('more'));
    };
    const clock = ms === undefined ? undefined : setTimeout(() => fail(errors.busy(TOO_LONG)), ms);
    worker.on('message', take);
    worker.on('error', fail);
    worker.postMessage(order, transfer);
  });
}

const TOO_LONG = 'The work took too long and was stopped.';

function started(): Worker {
  if (thread) return thread;
  thread = new Worker(new URL('./thread-main.ts', import.meta.url), {
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: limits.thread.megabytes },
  });
  thread.unref();
  return thread;
}

function stop(): void {
  void thread?.terminate();
  thread = null;
}

const isOutOfMemory = (error: Error & { code?: string }): boolean =>
  error.code === 'ERR_WORKER_OUT_OF_MEMORY';

const PLAIN: Record<string, new (message: string) => Error> = { SyntaxError, TypeError };

function thrown({ name, message, kind, status }: Extract<Report, { fault: object }>['fault']): Error {
  return kind ? new AppError(kind, message, status) : new (PLAIN[name] ?? Error)(message);
}
