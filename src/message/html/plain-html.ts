export const renderPreformatted = (text: string): string => `<pre>${escapeMarkup(text)}</pre>`;

export const escapeMarkup = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
