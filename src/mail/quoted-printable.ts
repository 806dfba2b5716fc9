const escapes = Array.from(
  { length: 256 },
  (_, byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
);

/** RFC 2045 6.7 for text with CRLF line ends, in lines of at most 76 characters. */
export function quotedPrintable(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const escaped = bytes.replace(
    /[^\t\r\n\x20-\x3c\x3e-\x7e]|[\t ](?=\r\n|$)/g,
    (byte) => escapes[byte.charCodeAt(0)] ?? '',
  );
  const lines: string[] = [];
  let from = 0;
  for (let end = escaped.indexOf('\r\n'); end !== -1; end = escaped.indexOf('\r\n', from)) {
    pushLine(lines, escaped, from, end);
    from = end + 2;
  }
  pushLine(lines, escaped, from, escaped.length);
  return lines.join('\r\n');
}

/** Cuts with soft line breaks, never inside an escape. */
function pushLine(lines: string[], text: string, start: number, end: number): void {
  let from = start;
  while (end - from > 76) {
    let cut = from + 75;
    if (text[cut - 1] === '=') cut -= 1;
    else if (text[cut - 2] === '=') cut -= 2;
    lines.push(`${text.slice(from, cut)}=`);
    from = cut;
  }
  lines.push(text.slice(from, end));
}
