/** Whether a text has more than so many characters; one beyond U+FFFF is one character, not two. */
export const isLonger = (text: string, most: number): boolean =>
  text.length > 2 * most || (text.length > most && [...text].length > most);
