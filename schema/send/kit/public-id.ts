import { randomBytes } from 'node:crypto';

/** 25 characters of a-z and 0-9: the time first, so that new rows lie together in the index, then 80 random bits. */
export function newPublicId(): string {
  const time = Date.now().toString(36).padStart(9, '0');
  return `${time}${BigInt(`0x${randomBytes(10).toString('hex')}`)
    .toString(36)
    .padStart(16, '0')}`;
}
