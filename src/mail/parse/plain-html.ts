/** Plain text as HTML that looks the same. */
export const preformatted = (text: string): string => `<pre>${escaped(text)}</pre>`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
