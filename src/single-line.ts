/** Text of one line: what could end it, or begin a header of its own, is a space. */
export const toSingleLine = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ');
