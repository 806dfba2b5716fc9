/** Plain text as HTML that looks the same. */
export const renderPreformatted = (text: string): string => `<pre>${escapeMarkup(text)}</pre>`;

/** Text as it stands in HTML. */
export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
