export interface CacheOptions<V> {
  /** Values kept at most. */
  entries: number;
  /** The weight of all values together is at most `most`. */
  weight?: { most: number; of(value: V): number };
  /** Milliseconds after which a value is as good as absent; for ever without. */
  age?: number;
  now?: () => number;
}

/** Values kept in memory, within bounds: where one has no room, those used longest ago go first. */
export interface Cache<K, V> {
  get(key: K): V | undefined;
  /** @param age milliseconds, for this value alone */
  set(key: K, value: V, age?: number): void;
  /** The value of `key`, made when it is not there. */
  getOrCreate(key: K, make: () => V): V;
  delete(key: K): void;
  /** Deletes the values that `is` true of. */
  deleteWhere(is: (value: V, key: K) => boolean): void;
  clear(): void;
  /** How many values are kept, expired ones included. */
  size(): number;
}

interface CacheEntry<V> {
  value: V;
  expires: number;
  weight: number;
}

/** Every cache of the process is made here, so none grows without bound. */
export function createCache<K, V>(options: CacheOptions<V>): Cache<K, V> {
  const { entries, weight, age = Number.POSITIVE_INFINITY, now = Date.now } = options;
  const kept = new Map<K, CacheEntry<V>>();
  let held = 0;
  /** What was used last need not be moved to the end again. */
  let latest: CacheEntry<V> | undefined;

  function drop(key: K): void {
    const entry = kept.get(key);
    if (entry && kept.delete(key)) held -= entry.weight;
  }

  function get(key: K): V | undefined {
    const entry = kept.get(key);
    if (!entry) return undefined;
    if (entry.expires <= now()) {
      drop(key);
      return undefined;
    }
    if (entry !== latest) {
      kept.delete(key);
      kept.set(key, entry);
      latest = entry;
    }
    return entry.value;
  }

  function set(key: K, value: V, ownAge = age): void {
    drop(key);
    const entry = { value, expires: now() + ownAge, weight: weight?.of(value) ?? 0 };
    // It would take the place of all others, and then its own.
    if (weight && entry.weight > weight.most) return;
    kept.set(key, entry);
    latest = entry;
    held += entry.weight;
    for (const oldest of kept.keys()) {
      if (kept.size <= entries && held <= (weight?.most ?? Number.POSITIVE_INFINITY)) return;
      drop(oldest);
    }
  }

  return {
    get,
    set,
    getOrCreate(key, make) {
      const known = get(key);
      if (known !== undefined) return known;
      const made = make();
      set(key, made);
      return made;
    },
    delete: drop,
    deleteWhere(is) {
      for (const [key, { value }] of kept) if (is(value, key)) drop(key);
    },
    clear() {
      kept.clear();
      latest = undefined;
      held = 0;
    },
    size: () => kept.size,
  };
}

/** An answer of the database with the moment (ms since 1970) from which it must be asked again. */
export interface LoadedValue<V> {
  value: V;
  expires: number;
}

/** Answers of the database that are kept while they are known to be true. */
export interface LoadingCache<K, V> {
  /** The answer to `key`, kept or loaded; what is not there is never kept. Equal questions at one time are one. */
  get(key: K, load: () => Promise<LoadedValue<V> | null>): Promise<V | null>;
  /** The answer that is kept; none is loaded. */
  peek(key: K): V | undefined;
  /** Nothing is kept while it is off, and it begins so. */
  setEnabled(on: boolean): void;
  /** Forgets all, or those that `is` true of; what is being loaded is not kept either. */
  invalidate(is?: (value: V, key: K) => boolean): void;
}

/** @param options with `age`, after which an answer is asked for again whatever happens */
export function createLoadingCache<K, V>(options: CacheOptions<V>): LoadingCache<K, V> {
  const { age = Number.POSITIVE_INFINITY, now = Date.now } = options;
  const kept = createCache<K, V>(options);
  const asked = new Map<K, Promise<V | null>>();
  let keeping = false;
  let epoch = 0;

  async function loadValue(key: K, load: () => Promise<LoadedValue<V> | null>): Promise<V | null> {
    const started = epoch;
    const loaded = await load();
    if (!loaded) return null;
    // An answer from before a change must not outlive it.
    if (keeping && started === epoch) kept.set(key, loaded.value, Math.min(age, loaded.expires - now()));
    return loaded.value;
  }

  function forget(is?: (value: V, key: K) => boolean): void {
    if (is) kept.deleteWhere(is);
    else kept.clear();
    // What is being asked may be one of them.
    asked.clear();
    epoch++;
  }

  return {
    get(key, load) {
      const known = kept.get(key);
      if (known !== undefined) return Promise.resolve(known);
      const running = asked.get(key);
      if (running) return running;
      const answer = loadValue(key, load).finally(() => {
        if (asked.get(key) === answer) asked.delete(key);
      });
      asked.set(key, answer);
      return answer;
    },
    peek: kept.get,
    setEnabled(on) {
      keeping = on;
      forget();
    },
    invalidate: forget,
  };
}

/** One value for each owner, made when it is first wanted and kept as long as the owner lives. */
export function memoizePerObject<O extends object, V>(make: (owner: O) => V): (owner: O) => V {
  const made = new WeakMap<O, { value: V }>();
  return (owner) => {
    let entry = made.get(owner);
    if (!entry) {
      entry = { value: make(owner) };
      made.set(owner, entry);
    }
    return entry.value;
  };
}
