/** An answer of the database with the moment (ms since 1970) from which it must be asked again. */
export interface Loaded<T> {
  value: T;
  expires: number;
}

/** Answers kept in memory while they are known to be true. */
export interface Known<T> {
  /** The answer to `key`, from memory or by `load`; what is not there is never kept. Equal questions at one time are one. */
  get(key: string, load: () => Promise<Loaded<T> | null>): Promise<T | null>;
  /** Nothing is kept while it is off. */
  keep(on: boolean): void;
  /** Forgets all, or those that `is` true of. */
  forget(is?: (value: T) => boolean): void;
}

/** @param maxAge ms after which an answer is asked for again whatever happens @param most answers kept */
export function createKnown<T>(maxAge: number, most: number): Known<T> {
  const kept = new Map<string, Loaded<T>>();
  const asked = new Map<string, Promise<T | null>>();
  let keeping = false;
  let epoch = 0;

  async function ask(key: string, load: () => Promise<Loaded<T> | null>): Promise<T | null> {
    const started = epoch;
    const loaded = await load();
    if (!loaded) return null;
    // An answer from before a change must not outlive it.
    if (keeping && started === epoch) {
      if (kept.size >= most) kept.clear();
      kept.set(key, { value: loaded.value, expires: Math.min(Date.now() + maxAge, loaded.expires) });
    }
    return loaded.value;
  }

  const forget = (is?: (value: T) => boolean) => {
    if (!is) kept.clear();
    else for (const [key, { value }] of kept) if (is(value)) kept.delete(key);
    // What is being asked may be one of them.
    asked.clear();
    epoch++;
  };
  return {
    get(key, load) {
      const known = kept.get(key);
      if (known && known.expires > Date.now()) return Promise.resolve(known.value);
      const running = asked.get(key);
      if (running) return running;
      const answer = ask(key, load).finally(() => {
        if (asked.get(key) === answer) asked.delete(key);
      });
      asked.set(key, answer);
      return answer;
    },
    keep(on) {
      keeping = on;
      forget();
    },
    forget,
  };
}
