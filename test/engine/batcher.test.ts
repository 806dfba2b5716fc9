import { expect, test } from 'vitest';
import { createBatchingQueue } from '../../src/engine/work/batching-queue.ts';

/** Creates a queue whose batches complete when `go` is called, in the order they started. */
function createBatcher(options: { most?: number; atOnce?: number; isOfOne?: boolean } = {}) {
  const result: number[][] = [];
  const gates: PromiseWithResolvers<void>[] = [];
  const gatheringQueue = createBatchingQueue<number, string>({
    getKey: (item) => Math.floor(item / 100),
    async runBatch(items) {
      result.push([...items]);
      const hold = Promise.withResolvers<void>();
      gates.push(hold);
      await hold.promise;
      if (items.includes(13)) throw new Error('13');
      return items.map(String);
    },
    concurrency: options.atOnce ?? 1,
    maxSize: options.most ?? 10,
    isItemError: () => options.isOfOne ?? true,
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    done: result,
    give: (item: number) => gatheringQueue.add(item),
    async go() {
      await turn();
      for (const hold of gates.splice(0)) hold.resolve();
      await turn();
    },
  };
}

test('batches items added in the same tick or during a running batch', async () => {
  const { done, give, go } = createBatcher();
  const first = [give(1), give(2)];
  await go();
  expect(await Promise.all(first)).toEqual(['1', '2']);
  const second = give(3);
  await new Promise((resolve) => setImmediate(resolve));
  const third = [give(4), give(5)];
  await go();
  await go();
  expect(await Promise.all([second, ...third])).toEqual(['3', '4', '5']);
  expect(done).toEqual([[1, 2], [3], [4, 5]]);
});

test('processes keys independently, and limits the batch size', async () => {
  const { done, give, go } = createBatcher({ most: 2 });
  const all = [1, 2, 3, 101].map(give);
  await go();
  expect(done).toEqual([[1, 2], [101], [3]]);
  await go();
  expect(await Promise.all(all)).toEqual(['1', '2', '3', '101']);
});

test('retries the items of a failed batch one by one, so only the faulty item fails', async () => {
  const { done, give, go } = createBatcher();
  const all = Promise.allSettled([1, 13, 2].map(give));
  for (let i = 0; i < 4; i++) await go();
  expect((await all).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(done).toEqual([[1, 13, 2], [1], [13], [2]]);
});

test('fails the whole batch if no single item is faulty, and processes later items', async () => {
  const { give, go } = createBatcher({ isOfOne: false });
  const all = Promise.allSettled([1, 13].map(give));
  await go();
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  const later = give(2);
  await go();
  expect(await later).toBe('2');
});
