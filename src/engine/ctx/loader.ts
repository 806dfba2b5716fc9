import DataLoader from 'dataloader';
import type { Ctx } from './ctx.ts';

const BATCH_SIZE = 500;

/** Returns the request's value with this key, which `create` returns on first use. The key determines its type. */
export function getLoaded<T>({ loaded }: Ctx, key: string, create: () => T): T {
  const existing = loaded.get(key) as T | undefined;
  if (existing !== undefined) return existing;
  const value = create();
  loaded.set(key, value);
  return value;
}

/**
 * Returns the request's loader with this name. It loads up to `BATCH_SIZE` keys with one statement.
 * @param load called at most once per key
 * @param none value for keys that `load` does not return
 */
export const getLoader = <V>(
  ctx: Ctx,
  name: string,
  load: (keys: readonly number[]) => Promise<Map<number, V | Error>>,
  none: V,
): DataLoader<number, V> =>
  getLoaded(
    ctx,
    name,
    () =>
      new DataLoader(
        async (keys: readonly number[]) => {
          const values = await load(keys);
          return keys.map((key) => values.get(key) ?? none);
        },
        { maxBatchSize: BATCH_SIZE },
      ),
  );
