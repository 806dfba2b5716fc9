/** Writes a property, folded into lines of at most 75 bytes (RFC 5545, 3.1). The value must already be escaped. */
export function renderLine(
  name: string,
  value: string,
  parameters: Readonly<Record<string, string>> = {},
): string {
  const renderedParameters = Object.entries(parameters).map(
    ([key, text]) => `;${key}=${escapeParameter(text)}`,
  );
  return `${foldLine(`${name}${renderedParameters.join('')}:${value.replace(/[\r\n]+/g, ' ')}`)}\r\n`;
}

export const escapeIcsText = (text: string): string =>
  text
    .replace(/[\\;,]/g, '\\$&')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '');

/** Escapes a parameter value, and encodes quotes as in RFC 6868. */
const escapeParameter = (text: string): string => {
  const cleanText = text
    .replace(/\^/g, '^^')
    .replace(/"/g, "^'")
    .replace(/[\u0000-\u001f\u007f]+/g, ' ');
  return /^[\w.+-]*$/.test(cleanText) ? cleanText : `"${cleanText}"`;
};

/** Folds a line between characters, never inside one. */
function foldLine(text: string): string {
  if (text.length <= MAX_LINE_BYTES && Buffer.byteLength(text) <= MAX_LINE_BYTES) return text;
  const lines: string[] = [];
  let [now, bytes] = ['', 0];
  for (const character of text) {
    const size = Buffer.byteLength(character);
    if (bytes + size > MAX_LINE_BYTES) {
      lines.push(now);
      [now, bytes] = [' ', 1];
    }
    now += character;
    bytes += size;
  }
  return [...lines, now].join('\r\n');
}

const MAX_LINE_BYTES = 75;
