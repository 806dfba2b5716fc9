import { parseDeclarations, type StyleDeclaration } from './declarations.ts';

/** Values by property, in lower case. Shorthands and logical properties are expanded. */
export type ComputedStyle = ReadonlyMap<string, string>;

export function computeStyle(declarations: readonly StyleDeclaration[]): ComputedStyle {
  const style = new Map<string, string>();
  const important = new Set<string>();
  for (const [given, full] of declarations) {
    const text = full.toLowerCase().replace(/\s{0,9}!\s{0,9}important$/, '');
    const isImportant = text.length < full.length;
    for (const [property, value] of expandDeclaration(given, text)) {
      if ((important.has(property) && !isImportant) || !(KNOWN_VALUES[property]?.test(value) ?? true))
        continue;
      style.set(property, value);
      if (isImportant) important.add(property);
    }
  }
  return style;
}

export const readDeclarations = (text: string): StyleDeclaration[] =>
  text === '' ? [] : parseDeclarations(stripCommentsAndEscapes(text));

const stripCommentsAndEscapes = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, hex?: string, char?: string) =>
      hex ? String.fromCharCode(Number.parseInt(hex, 16)) : char!,
    );

/** Browsers ignore declarations with other values. */
const KNOWN_VALUES: Record<string, RegExp> = {
  display: new RegExp(
    '^(?:none|block|inline(?:-(?:block|flex|table|grid))?|flow-root|contents|list-item|grid|' +
      '(?:-webkit-(?:inline-)?)?(?:flex|box)|table(?:-[a-z-]{3,20})?|initial|inherit|unset|revert)$',
  ),
  visibility: /^(?:visible|hidden|collapse|initial|inherit|unset|revert)$/,
};

const PHYSICAL_PROPERTIES: Record<string, string> = {
  'inset-inline-start': 'left',
  'inset-inline-end': 'right',
  'inset-block-start': 'top',
  'inset-block-end': 'bottom',
  'margin-inline-start': 'margin-left',
  'margin-block-start': 'margin-top',
  'block-size': 'height',
  'inline-size': 'width',
  'max-block-size': 'max-height',
  'max-inline-size': 'max-width',
  '-webkit-clip-path': 'clip-path',
  '-webkit-filter': 'filter',
  '-webkit-transform': 'transform',
};

const SIDES = ['top', 'right', 'bottom', 'left'];

function expandDeclaration(given: string, value: string): [property: string, value: string][] {
  const property = Object.hasOwn(PHYSICAL_PROPERTIES, given) ? PHYSICAL_PROPERTIES[given]! : given;
  if (property === 'font')
    return [
      ['font-size', getFontSize(value)],
      ['line-height', /\/\s{0,9}([^\s/]{1,99})/.exec(value)?.[1] ?? 'normal'],
    ];
  if (property !== 'margin' && property !== 'inset') return [[property, value]];
  const sides = expandSides(value);
  return SIDES.flatMap((side, index) => {
    const name = property === 'inset' ? side : `margin-${side}`;
    return sides[index] === undefined ? [] : [[name, sides[index]]];
  });
}

const MAX_SIDES_CHARS = 500;

/** Splits the values of four sides, of which CSS allows to omit some. Ignores more values. */
export function expandSides(text: string): string[] {
  const [top, right = top, bottom = top, left = right] = text
    .slice(0, MAX_SIDES_CHARS)
    .trim()
    .split(/\s+(?![^()]{0,60}\))/)
    .slice(0, 4);
  return [top!, right!, bottom!, left!];
}

/** Extracts the size from a `font` value, such as `bold 12px/1.5 Arial`. */
const getFontSize = (value: string): string => FONT_SIZE.exec(value)?.[1] ?? value;

const FONT_SIZE = new RegExp(
  '(?:^|\\s)(0|\\d{0,9}\\.?\\d{1,9}(?:px|pt|pc|in|cm|mm|q|r?em|ex|ch|v[wh]|%)|' +
    '(?:calc|min|max|clamp)\\([^)]{0,99}\\))(?:/|\\s|$)',
);
