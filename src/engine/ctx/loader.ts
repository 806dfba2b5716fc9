import DataLoader from 'dataloader';
import type { Ctx } from './ctx.ts';

const BATCH_SIZE = 500;

/**
 * Returns the request's loader with this name. It loads up to `BATCH_SIZE` keys with one statement.
 * @param load called at most once per key
 * @param none value for keys that `load` does not return
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
