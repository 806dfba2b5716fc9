/** Work of several callers that costs less when it is done together. */
export interface Gathering<T, R> {
  /** @throws what hindered it, also when that was another's fault and it could not be done alone */
  give(item: T): Promise<R>;
}

export interface GatheringOptions<T, R> {
  /** Only what has the same key is done together. */
  keyOf(item: T): number | string;
  /** Does all of it or nothing. @returns a result for each, in their order */
  together(items: readonly T[]): Promise<R[]>;
  /** Of one key at the same time. */
  atOnce: number;
  /** How much is done together, in what `sizeOf` counts; one item that is larger is done alone. */
  most: number;
  sizeOf?(item: T): number;
  /** Whether what failed may be the fault of one item: each is tried alone then. */
  isOfOne(error: unknown): boolean;
}

interface Waiting<T, R> {
  item: T;
  done(result: R): void;
  failed(error: unknown): void;
}

interface Line<T, R> {
  waiting: Waiting<T, R>[];
  running: number;
}

/** While some of a key is done, what comes waits and goes together; the first does not wait for others. */
export function createGathering<T, R>(options: GatheringOptions<T, R>): Gathering<T, R> {
  const { keyOf, together, atOnce, most, sizeOf = () => 1, isOfOne } = options;
  const lines = new Map<number | string, Line<T, R>>();

  function take({ waiting }: Line<T, R>): Waiting<T, R>[] {
    let size = 0;
    let count = 0;
    for (const { item } of waiting) {
      size += sizeOf(item);
      if (count > 0 && size > most) break;
      count++;
    }
    return waiting.splice(0, count);
  }

  async function attempt(batch: readonly Waiting<T, R>[]): Promise<void> {
    try {
      const results = await together(batch.map(({ item }) => item));
      for (const [i, { done }] of batch.entries()) done(results[i]!);
    } catch (error) {
      if (batch.length > 1 && isOfOne(error)) for (const one of batch) await attempt([one]);
      else for (const { failed } of batch) failed(error);
    }
  }

  async function drain(key: number | string, line: Line<T, R>): Promise<void> {
    for (let batch = take(line); batch.length > 0; batch = take(line)) await attempt(batch);
    line.running--;
    if (line.running === 0) lines.delete(key);
  }

  return {
    give(item) {
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
