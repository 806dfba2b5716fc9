/** Plain text as HTML that looks the same. */
export const preformatted = (text: string): string => `<pre>${inMarkup(text)}</pre>`;

/** Text as it stands in HTML. */
export const inMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
