/** Inserts elements after the start tag of `head`, or at the beginning of a document without one. */
export function insertIntoHead(html: string, elements: string): string {
  const start = html.search(/<head\b/i);
  const index = start < 0 ? 0 : html.indexOf('>', start) + 1;
  return html.slice(0, index) + elements + html.slice(index);
}
