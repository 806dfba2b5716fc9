import DataLoader from 'dataloader';
import type { Ctx } from './ctx.ts';

/** Rows that are loaded at one time. */
const BATCH_SIZE = 500;

/**
 * The loader of a request by its name: what all records of a page want comes with one statement.
 * @param load values of keys, by key; called with each key once
 * @param none stands for what `load` does not give
 */
export function getLoader<V>(
  ctx: Ctx,
  name: string,
  load: (keys: readonly number[]) => Promise<Map<number, V | Error>>,
  none: V,
): DataLoader<number, V> {
  let loader = ctx.loaded.get(name) as DataLoader<number, V> | undefined;
  if (!loader) {
    loader = new DataLoader(
      async (keys: readonly number[]) => {
        const values = await load(keys);
        return keys.map((key) => values.get(key) ?? none);
      },
      { maxBatchSize: BATCH_SIZE },
    );
    ctx.loaded.set(name, loader);
  }
  return loader;
}
