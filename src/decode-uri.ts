/**
 * Decodes percent-encoding. Returns the text unchanged if its encoding is invalid, or if it contains an encoded NUL,
 * which PostgreSQL cannot store.
 */
export function decodeUriOrKeep(text: string): string {
  try {
    const decodedText = decodeURIComponent(text);
    return decodedText.includes('\0') ? text : decodedText;
  } catch {
    return text;
  }
}
