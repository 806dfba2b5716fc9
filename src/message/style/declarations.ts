export type StyleDeclaration = readonly [property: string, value: string];

/** Splits a style attribute into declarations. Ignores semicolons in brackets and quotes. */
export function parseDeclarations(style: string): StyleDeclaration[] {
  const parts: string[] = [];
  let from = 0;
  let closing = '';
  for (let index = 0; index < style.length; index++) {
    const char = style[index]!;
    if (char === ';' && closing === '') {
      parts.push(style.slice(from, index));
      from = index + 1;
    } else if (char === closing) closing = '';
    else if (closing === '' && (char === '"' || char === "'" || char === '('))
      closing = char === '(' ? ')' : char;
  }
  parts.push(style.slice(from));
  return parts.flatMap((part) => {
    const colon = part.indexOf(':');
    return colon < 1 ? [] : [[part.slice(0, colon).trim().toLowerCase(), part.slice(colon + 1).trim()]];
  });
}
