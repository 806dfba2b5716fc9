export const MBOX_SEPARATOR = Buffer.from('From ');

/** Escapes a `From ` line in a message. */
export const MBOX_QUOTE = Buffer.from('>');

/** Counts the bytes that match the start of `From `. */
export function countSharedBytes(bytes: Uint8Array, index: number): number {
  let sharedCount = 0;
  while (sharedCount < MBOX_SEPARATOR.length && bytes[index + sharedCount] === MBOX_SEPARATOR[sharedCount])
    sharedCount += 1;
  return sharedCount;
}
