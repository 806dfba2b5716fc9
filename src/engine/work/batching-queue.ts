/** Batches items from several callers, because processing them together is cheaper. */
export interface BatchingQueue<T, R> {
  /** @throws the error of the batch, if the item was not retried separately */
  add(item: T): Promise<R>;
}

interface BatchingQueueOptions<T, R> {
  /** Only items with the same key share a batch. */
  getKey(item: T): number | string;
  /** Processes all items atomically, and returns a result for each item, in order. */
  runBatch(items: readonly T[]): Promise<R[]>;
  concurrency: number;
  /** Maximum total size of a batch, in units of `getSize`. A larger item is processed alone. */
  maxSize: number;
  getSize?(item: T): number;
  /** Returns true if a single item may have caused the error. Each item is then retried separately. */
  isItemError(error: unknown): boolean;
}

interface QueuedItem<T, R> {
  item: T;
  done(result: R): void;
  failed(error: unknown): void;
}

interface KeyQueue<T, R> {
  waiting: QueuedItem<T, R>[];
  running: number;
}

/**
 * The first item starts a batch immediately. Items that arrive while a batch with their key is running form the next
 * one.
 */
export function createBatchingQueue<T, R>(options: BatchingQueueOptions<T, R>): BatchingQueue<T, R> {
  const { getKey, runBatch, concurrency, maxSize, getSize = () => 1, isItemError } = options;
  const queues = new Map<number | string, KeyQueue<T, R>>();

  function dequeueBatch({ waiting }: KeyQueue<T, R>): QueuedItem<T, R>[] {
    let size = 0;
    let count = 0;
    for (const { item } of waiting) {
      size += getSize(item);
      if (count > 0 && size > maxSize) break;
      count++;
    }
    return waiting.splice(0, count);
  }

  async function attemptBatch(batch: readonly QueuedItem<T, R>[]): Promise<void> {
    try {
      const results = await runBatch(batch.map(({ item }) => item));
      for (const [i, { done }] of batch.entries()) done(results[i]!);
    } catch (error) {
      if (batch.length > 1 && isItemError(error)) for (const item of batch) await attemptBatch([item]);
      else for (const { failed } of batch) failed(error);
    }
  }

  async function drain(key: number | string, line: KeyQueue<T, R>): Promise<void> {
    for (let batch = dequeueBatch(line); batch.length > 0; batch = dequeueBatch(line))
      await attemptBatch(batch);
    line.running--;
    if (line.running === 0) queues.delete(key);
  }

  return {
    add(item) {
      const key = getKey(item);
      const line = queues.get(key) ?? { waiting: [], running: 0 };
      queues.set(key, line);
      return new Promise((resolve, failed) => {
        line.waiting.push({ item, done: resolve, failed });
        if (line.waiting.length > 1 || line.running >= concurrency) return;
        line.running++;
        // Includes items that arrive in the same event loop iteration.
        setImmediate(() => void drain(key, line));
      });
    },
  };
}
