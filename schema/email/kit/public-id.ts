import { randomFillSync } from 'node:crypto';

/** The two characters for each ten-bit value. Formatting numbers would take several times as long. */
const PAIRS = [...'0123456789abcdefghijklmnopqrstuv'].flatMap((first, _, digits) =>
  digits.map((second) => first + second),
);

const PAIRS_PER_ID = 8;

/** Random values for many ids. Generating them for each id would take longer than all other steps. */
const pool = new Uint16Array(PAIRS_PER_ID * 200);
let used = pool.length;

/**
 * Returns 25 characters of a-z and 0-9: the time, so that new rows are adjacent in the index, and then 80 random bits.
 */
export function createPublicId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  let id = Date.now().toString(36).padStart(9, '0');
  for (const end = used + PAIRS_PER_ID; used < end; used++) id += PAIRS[pool[used]! % PAIRS.length];
  return id;
}
