import { errors } from '../errors.ts';

/** How many bytes may be held at one time, by all who ask. */
export interface Room {
  /** @throws BUSY when they no longer fit */
  take(bytes: number): void;
  give(bytes: number): void;
}

export function createRoom(total: number): Room {
  let held = 0;
  return {
    take(bytes) {
      if (held + bytes > total) throw errors.busy('Too many large requests are being read; try again.');
      held += bytes;
    },
    give(bytes) {
      held -= bytes;
    },
  };
}
