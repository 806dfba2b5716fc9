import { createSeededRandom } from '../rpc/seeded.ts';

/** Random choices of an attack run, reproducible by seed. */
export interface Dice {
  /** Integer from 0 to `limit - 1`. */
  below(limit: number): number;
  /** True with a probability of 1 in `times`. */
  once(times: number): boolean;
  pick<T>(items: readonly T[]): T;
  some<T>(max: number, make: () => T): T[];
  /** A unique word, planted in values that only some callers may see. */
  mark(): string;
}

export function createDice(seed: number): Dice {
  const random = createSeededRandom(seed);
  const randomBelow = (limit: number) => Math.floor(random() * limit);
  return {
    below: randomBelow,
    once: (times) => randomBelow(times) === 0,
    pick: (items) => items[randomBelow(items.length)]!,
    some: (max, make) => Array.from({ length: randomBelow(max + 1) }, make),
    mark: () => `mk${Array.from({ length: 16 }, () => randomBelow(16).toString(16)).join('')}`,
  };
}
