/** A property of a calendar, in lines of at most 75 bytes (RFC 5545, 3.1). Its value is as it is written. Pure. */
export function line(name: string, value: string, parameters: Readonly<Record<string, string>> = {}): string {
  const given = Object.entries(parameters).map(([key, text]) => `;${key}=${parameter(text)}`);
  return `${folded(`${name}${given.join('')}:${value.replace(/[\r\n]+/g, ' ')}`)}\r\n`;
}

/** Text as a value. Pure. */
export const icsText = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

/** A parameter cannot hold a quote; RFC 6868 has a way to write one. */
const parameter = (text: string): string => {
  const clean = text
    .replace(/\^/g, '^^')
    .replace(/"/g, "^'")
    .replace(/[\u0000-\u001f\u007f]+/g, ' ');
  return /^[\w.+-]*$/.test(clean) ? clean : `"${clean}"`;
};

/** No character is torn. */
function folded(text: string): string {
  if (text.length <= MOST && Buffer.byteLength(text) <= MOST) return text;
  const lines: string[] = [];
  let [now, bytes] = ['', 0];
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (bytes + size > MOST) {
      lines.push(now);
      [now, bytes] = [' ', 1];
    }
    now += character;
    bytes += size;
  }
  return [...lines, now].join('\r\n');
}

const MOST = 75;
