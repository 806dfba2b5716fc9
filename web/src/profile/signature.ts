/** The words of a signature, a line for each of its paragraphs. Pure but for the parser. */
export function signatureText(html: string): string {
  const lines = html.replace(/<br\s*\/?>|<\/(?:p|div|li|h\d)>/gi, '$&\n');
  const { textContent } = new DOMParser().parseFromString(lines, 'text/html').body;
  return textContent.replace(/\n{3,}/g, '\n\n').trim();
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Pure. */
export const signatureHtml = (text: string): string =>
  text &&
  `<p>${text
    .replace(/[&<>]/g, (sign) => ESCAPES[sign]!)
    .split('\n')
    .join('<br>')}</p>`;
