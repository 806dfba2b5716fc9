/** What a line begins with that separates two messages. */
export const separator = Buffer.from('From ');

/** What stands before such a line of a message. */
export const mboxQuote = Buffer.from('>');

/** How many bytes there are as in `From `. */
export function sharedStart(bytes: Uint8Array, at: number): number {
  let same = 0;
  while (same < separator.length && bytes[at + same] === separator[same]) same += 1;
  return same;
}
