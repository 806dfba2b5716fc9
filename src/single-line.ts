/** Replaces line breaks and control characters with spaces, so that the text cannot start a new header. */
export const toSingleLine = (text: string): string => text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ');
