import { createSeededRandom } from '../rpc/seeded.ts';

/** What decides in a run of random attacks; the same for the same seed. */
export interface Dice {
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** From none to `most`. */
  some<T>(most: number, make: () => T): T[];
  /** A word that is nowhere else: what only some callers may see is written with such words. */
  mark(): string;
}

export function createDice(seed: number): Dice {
  const random = createSeededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  return {
    below,
    once: (times) => below(times) === 0,
    pick: (items) => items[below(items.length)]!,
    some: (most, make) => Array.from({ length: below(most + 1) }, make),
    mark: () => `mk${Array.from({ length: 16 }, () => below(16).toString(16)).join('')}`,
  };
}
