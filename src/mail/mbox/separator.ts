/** What a line begins with that separates two messages. */
export const MBOX_SEPARATOR = Buffer.from('From ');

/** What stands before such a line of a message. */
export const MBOX_QUOTE = Buffer.from('>');

/** How many bytes there are as in `From `. */
export function countSharedBytes(bytes: Uint8Array, at: number): number {
  let same = 0;
  while (same < MBOX_SEPARATOR.length && bytes[at + same] === MBOX_SEPARATOR[same]) same += 1;
  return same;
}
