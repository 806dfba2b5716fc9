/** Work of several callers that costs less when it is done together. */
export interface BatchingQueue<T, R> {
  /** @throws what hindered it, also when that was another's fault and it could not be done alone */
  add(item: T): Promise<R>;
}

export interface BatchingQueueOptions<T, R> {
  /** Only what has the same key is done together. */
  getKey(item: T): number | string;
  /** Does all of it or nothing. @returns a result for each, in their order */
  runBatch(items: readonly T[]): Promise<R[]>;
  /** Of one key at the same time. */
  concurrency: number;
  /** How much is done together, in what `sizeOf` counts; one item that is larger is done alone. */
  maxSize: number;
  getSize?(item: T): number;
  /** Whether what failed may be the fault of one item: each is tried alone then. */
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

/** While some of a key is done, what comes waits and goes together; the first does not wait for others. */
export function createBatchingQueue<T, R>(options: BatchingQueueOptions<T, R>): BatchingQueue<T, R> {
  const {
    getKey: keyOf,
    runBatch: together,
    concurrency: atOnce,
    maxSize: most,
    getSize: sizeOf = () => 1,
    isItemError: isOfOne,
  } = options;
  const lines = new Map<number | string, KeyQueue<T, R>>();

  function takeBatch({ waiting }: KeyQueue<T, R>): QueuedItem<T, R>[] {
    let size = 0;
    let count = 0;
    for (const { item } of waiting) {
      size += sizeOf(item);
      if (count > 0 && size > most) break;
      count++;
    }
    return waiting.splice(0, count);
  }

  async function attempt(batch: readonly QueuedItem<T, R>[]): Promise<void> {
    try {
      const results = await together(batch.map(({ item }) => item));
      for (const [i, { done }] of batch.entries()) done(results[i]!);
    } catch (error) {
      if (batch.length > 1 && isOfOne(error)) for (const one of batch) await attempt([one]);
      else for (const { failed } of batch) failed(error);
    }
  }

  async function drain(key: number | string, line: KeyQueue<T, R>): Promise<void> {
    for (let batch = takeBatch(line); batch.length > 0; batch = takeBatch(line)) await attempt(batch);
    line.running--;
    if (line.running === 0) lines.delete(key);
  }

  return {
    add(item) {
      const key = keyOf(item);
      const line = lines.get(key) ?? { waiting: [], running: 0 };
      lines.set(key, line);
      return new Promise((done, failed) => {
        line.waiting.push({ item, done, failed });
        if (line.waiting.length > 1 || line.running >= atOnce) return;
        line.running++;
        // What comes in the same turn goes along.
        setImmediate(() => void drain(key, line));
      });
    },
  };
}
