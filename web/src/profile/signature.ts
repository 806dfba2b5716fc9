/** Converts a signature to plain text with one line per paragraph. */
export function htmlToText(html: string): string {
  const lines = html.replace(/<br\s*\/?>|<\/(?:p|div|li|h\d)>/gi, '\n').replace(/<[^>]*>/g, '');
  return lines
    .replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]+));/gi, (match, decimal, hex, name) =>
      name ? (ENTITIES[name.toLowerCase()] ?? match) : String.fromCodePoint(Number(decimal ?? `0x${hex}`)),
    )
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const ENTITIES: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' };

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

export const textToHtml = (text: string): string =>
  text &&
  `<p>${text
    .replace(/[&<>]/g, (sign) => ESCAPES[sign]!)
    .split('\n')
    .join('<br>')}</p>`;
