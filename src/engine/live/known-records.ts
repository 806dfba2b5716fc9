export const MAX_KNOWN_TOPIC_RECORDS = 10_000;

/**
 * Records that a subscriber may know: the initial matches, and records reported later. Deletions of other records are
 * not reported, unless the subscriber may read every record of the source.
 */
export class KnownRecords {
  /** Sorted ids of initial records whose key equals the id. An array uses a tenth of the memory of a map. */
  readonly #first: Int32Array;
  /** Records in `#first` that no longer match. */
  readonly #left = new Set<number>();
  /** Public keys of all other records, by id. Null if the key equals the id. */
  readonly #keys: Map<number, string | null>;
  readonly #most: number;
  /**
   * True if the set contains every matching record. Otherwise the subscriber may know records that are not in the set.
   */
  isComplete: boolean;

  /** @param first matching records by id; at most `capacity` are kept */
  constructor(
    first: [id: number, key: string | null][],
    isWhole = true,
    capacity: number = MAX_KNOWN_TOPIC_RECORDS,
  ) {
    this.#most = capacity;
    this.isComplete = isWhole && first.length <= capacity;
    const records = first.slice(0, capacity);
    this.#first = Int32Array.from(
      records.filter(([, key]) => key === null),
      ([id]) => id,
    );
    this.#keys = new Map(records.filter(([, key]) => key !== null));
  }

  get size(): number {
    return this.#first.length - this.#left.size + this.#keys.size;
  }

  has(id: number): boolean {
    return this.#began(id) ? !this.#left.has(id) : this.#keys.has(id);
  }

  add(id: number, key: string): void {
    if (this.#began(id)) this.#left.delete(id);
    else if (this.size >= this.#most && !this.#keys.has(id)) this.isComplete = false;
    else this.#keys.set(id, key === String(id) ? null : key);
  }

  /**
   * Removes a record.
   * @returns its key if the subscriber knew the record
   */
  leave(id: number): string | undefined {
    if (this.#began(id)) {
      const wasKnown = !this.#left.has(id);
      this.#left.add(id);
      return wasKnown ? String(id) : undefined;
    }
    const key = this.#keys.get(id);
    this.#keys.delete(id);
    return key === null ? String(id) : key;
  }

  #began(id: number): boolean {
    let [low, high] = [0, this.#first.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#first[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return this.#first[low] === id;
  }
}
