interface CacheOptions<V> {
  entries: number;
  weight?: { max: number; measure(value: V): number };
  /** Milliseconds after which a value expires. By default, values never expire. */
  age?: number;
}

/** A bounded in-memory cache. Evicts the least recently used values when it is full. */
export interface Cache<K, V> {
  get(key: K): V | undefined;
  /** @param age lifetime of this value in milliseconds */
  set(key: K, value: V, age?: number): void;
  getOrCreate(key: K, make: () => V): V;
  delete(key: K): void;
  deleteWhere(matches: (value: V, key: K) => boolean): void;
  clear(): void;
  size(): number;
}

interface CacheEntry<V> {
  value: V;
  expires: number;
  weight: number;
}

/** All caches of the process are created by this function, so that all are bounded. */
export function createCache<K, V>(options: CacheOptions<V>): Cache<K, V> {
  const { entries, weight, age = Number.POSITIVE_INFINITY } = options;
  const entriesByKey = new Map<K, CacheEntry<V>>();
  let totalSize = 0;
  /** The most recently used entry, which is already last in the map. */
  let latest: CacheEntry<V> | undefined;

  function drop(key: K): void {
    const entry = entriesByKey.get(key);
    if (entry && entriesByKey.delete(key)) totalSize -= entry.weight;
  }

  function get(key: K): V | undefined {
    const entry = entriesByKey.get(key);
    if (!entry) return undefined;
    if (entry.expires <= Date.now()) {
      drop(key);
      return undefined;
    }
    if (entry !== latest) {
      entriesByKey.delete(key);
      entriesByKey.set(key, entry);
      latest = entry;
    }
    return entry.value;
  }

  function set(key: K, value: V, ownAge = age): void {
    drop(key);
    const entry = { value, expires: Date.now() + ownAge, weight: weight?.measure(value) ?? 0 };
    // A value heavier than the limit would evict all other values and then itself.
    if (weight && entry.weight > weight.max) return;
    entriesByKey.set(key, entry);
    latest = entry;
    totalSize += entry.weight;
    for (const oldest of entriesByKey.keys()) {
      if (entriesByKey.size <= entries && totalSize <= (weight?.max ?? Number.POSITIVE_INFINITY)) return;
      drop(oldest);
    }
  }

  return {
    get,
    set,
    getOrCreate(key, make) {
      const cachedValue = get(key);
      if (cachedValue !== undefined) return cachedValue;
      const value = make();
      set(key, value);
      return value;
    },
    delete: drop,
    deleteWhere(matches) {
      for (const [key, { value }] of entriesByKey) if (matches(value, key)) drop(key);
    },
    clear() {
      entriesByKey.clear();
      latest = undefined;
      totalSize = 0;
    },
    size: () => entriesByKey.size,
  };
}

export interface LoadedValue<V> {
  value: V;
  /** In milliseconds since 1970. By default, the value never expires. */
  expires?: number;
}

/** Caches database results while they are known to be current. */
export interface LoadingCache<K, V> {
  /** Returns the cached value, or loads it. Concurrent calls for a key share one load. Null results are not cached. */
  get(key: K, load: () => Promise<LoadedValue<V> | null>): Promise<V | null>;
  peek(key: K): V | undefined;
  /** Turns the cache on or off. It stores nothing while off. */
  setEnabled(isOn: boolean): void;
  /** Invalidates all values, or values for which `matches` is true. Results of running loads are not cached. */
  invalidate(matches?: (value: V, key: K) => boolean): void;
}

/** @param options `age` is the maximum lifetime of a value, even without invalidation */
export function createLoadingCache<K, V>(options: CacheOptions<V>, isEnabled = false): LoadingCache<K, V> {
  const { age = Number.POSITIVE_INFINITY } = options;
  const cache = createCache<K, V>(options);
  const pending = new Map<K, Promise<V | null>>();
  let isKeeping = isEnabled;
  let epoch = 0;

  async function loadValue(key: K, load: () => Promise<LoadedValue<V> | null>): Promise<V | null> {
    const startEpoch = epoch;
    const loadedValue = await load();
    if (!loadedValue) return null;
    const { value, expires = Number.POSITIVE_INFINITY } = loadedValue;
    // A result that was loaded before a change must not be cached after it.
    if (isKeeping && startEpoch === epoch) cache.set(key, value, Math.min(age, expires - Date.now()));
    return value;
  }

  function forget(matches?: (value: V, key: K) => boolean): void {
    if (matches) cache.deleteWhere(matches);
    else cache.clear();
    // A running load may belong to an invalidated key.
    pending.clear();
    epoch++;
  }

  return {
    get(key, load) {
      const cachedValue = cache.get(key);
      if (cachedValue !== undefined) return Promise.resolve(cachedValue);
      const pendingLoad = pending.get(key);
      if (pendingLoad) return pendingLoad;
      const result = loadValue(key, load).finally(() => {
        if (pending.get(key) === result) pending.delete(key);
      });
      pending.set(key, result);
      return result;
    },
    peek: cache.get,
    setEnabled(isOn) {
      isKeeping = isOn;
      forget();
    },
    invalidate: forget,
  };
}

export function memoizePerObject<O extends object, V>(make: (owner: O) => V): (owner: O) => V {
  const values = new WeakMap<O, { value: V }>();
  return (owner) => {
    let entry = values.get(owner);
    if (!entry) {
      entry = { value: make(owner) };
      values.set(owner, entry);
    }
    return entry.value;
  };
}
