import { errors } from '../errors.ts';
import type { Holder } from '../thread.ts';

/** How many bytes may be held at one time, by all who ask and by each of them. */
export interface Room {
  /** @throws BUSY when they no longer fit */
  take(bytes: number, holder?: Holder): void;
  give(bytes: number, holder?: Holder): void;
}

/** @param share of one holder */
export function createRoom(total: number, share: number = total): Room {
  const held = new Map<Holder, number>();
  let sum = 0;
  return {
    take(bytes, holder = 0) {
      const own = (held.get(holder) ?? 0) + bytes;
      if (sum + bytes > total || own > share)
        throw errors.busy('Too many large requests are being read; try again.');
      held.set(holder, own);
      sum += bytes;
    },
    give(bytes, holder = 0) {
      const own = (held.get(holder) ?? 0) - bytes;
      if (own > 0) held.set(holder, own);
      else held.delete(holder);
      sum -= bytes;
    },
  };
}
