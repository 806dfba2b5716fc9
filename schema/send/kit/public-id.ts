import { randomFillSync } from 'node:crypto';

const RANDOM_BYTES = 10;

/** Drawn for many ids together: a draw costs more than the rest of an id. */
const pool = Buffer.alloc(RANDOM_BYTES * 200);
let used = pool.length;

/** 25 characters of a-z and 0-9: the time first, so that new rows lie together in the index, then 80 random bits. */
export function newPublicId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  const time = Date.now().toString(36).padStart(9, '0');
  const random = pool.toString('hex', used, used + RANDOM_BYTES);
  used += RANDOM_BYTES;
  return `${time}${BigInt(`0x${random}`).toString(36).padStart(16, '0')}`;
}
