/** Counts code points, so a character beyond U+FFFF counts once. */
export const isLonger = (text: string, maxLength: number): boolean =>
  text.length > 2 * maxLength || (text.length > maxLength && [...text].length > maxLength);
