import { limits } from '../../limits.ts';

/**
 * The records that a subscriber may know to match: those that did when it began, and those it has heard of since. Only
 * of these it hears that they are gone, unless it may read every record of the source.
 */
export class KnownRecords {
  /** Those it began with whose id is the number, in order: a tenth of the memory of a map. */
  readonly #first: Int32Array;
  /** Those of `#first` that have left. */
  readonly #left = new Set<number>();
  /** The others: the id that clients know, by number; null where it is the number. */
  readonly #keys: Map<number, string | null>;
  readonly #most: number;
  /** Whether all that match are in it. If not, a record that is gone may be one the subscriber knows. */
  isComplete: boolean;

  /** @param first those that match, by number; more than `most` are not kept */
  constructor(first: [id: number, key: string | null][], whole = true, most: number = limits.live.reach) {
    this.#most = most;
    this.isComplete = whole && first.length <= most;
    const kept = first.slice(0, most);
    this.#first = Int32Array.from(
      kept.filter(([, key]) => key === null),
      ([id]) => id,
    );
    this.#keys = new Map(kept.filter(([, key]) => key !== null));
  }

  get size(): number {
    return this.#first.length - this.#left.size + this.#keys.size;
  }

  add(id: number, key: string): void {
    if (this.#began(id)) this.#left.delete(id);
    else if (this.size >= this.#most && !this.#keys.has(id)) this.isComplete = false;
    else this.#keys.set(id, key === String(id) ? null : key);
  }

  /** Forgets a record. @returns its id if the subscriber knew it */
  leave(id: number): string | undefined {
    if (this.#began(id)) {
      const knew = !this.#left.has(id);
      this.#left.add(id);
      return knew ? String(id) : undefined;
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
