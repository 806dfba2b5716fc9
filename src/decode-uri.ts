/** Decodes percent-encoding. Returns the text unchanged if its encoding is invalid. */
export function decodeUriOrKeep(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
