/** Counts code points: a character beyond U+FFFF counts once. */
export const isLonger = (text: string, most: number): boolean =>
  text.length > 2 * most || (text.length > most && [...text].length > most);
