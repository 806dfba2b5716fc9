import { parseDeclarations } from './declarations.ts';

const SIDE_PATTERN = '(?:top|right|bottom|left)';

const SAFE_PROPERTIES = [
  ...['(?:-webkit-text-fill-)?color', 'background(?:-(?:color|image|position|repeat|size))?'],
  ...['opacity', 'direction', 'display'],
  ...['font(?:-(?:family|size|style|variant|weight))?', 'line-height', 'letter-spacing', 'white-space'],
  ...['text-(?:align|decoration(?:-(?:line|color|style))?|indent|overflow|transform)', 'vertical-align'],
  ...[
    'word-(?:break|spacing|wrap)',
    'overflow(?:-wrap|-x|-y)?',
    'float',
    'clear',
    'box-sizing',
    'visibility',
  ],
  ...[
    '(?:(?:min|max)-)?(?:width|height)',
    `(?:margin|padding)(?:-${SIDE_PATTERN})?`,
    'border(?:-[a-z]+){0,3}',
  ],
  ...['list-style(?:-(?:type|position))?', 'table-layout', 'caption-side', 'empty-cells'],
];
const SAFE_PROPERTY = new RegExp(`^(?:${SAFE_PROPERTIES.join('|')})$`);

const SAFE_FUNCTIONS = new Set([
  ...['', 'rgb', 'rgba', 'hsl', 'hsla', 'calc', 'url', 'linear-gradient', 'radial-gradient'],
]);

const MAX_STYLE_CHARS = 10_000;
const MAX_VALUE_CHARS = 1_000;

const IMAGE_URL = /^url\( {0,9}(["']?)((?:https?:\/\/|cid:)[^\s"'(){}\\<>\x00-\x1f\x7f]{1,900})\1 {0,9}\)$/i;

/** Viewport heights would be circular, because the height of the frame depends on the message. */
const VIEWPORT_UNIT = /\d(?:[sld]?v(?:h|b|min|max))\b/i;

interface SafeStyle {
  style: string;
  isRemote: boolean;
}

/**
 * Keeps declarations that only affect appearance. Drops declarations that cover the page, load or run anything, or are
 * ambiguous.
 * @param image returns the URL of a background image; null if it is not shown
 */
export function toSafeStyle(style: string, image: (address: string) => string | null): SafeStyle {
  let isRemote = false;
  const declarations = style.length > MAX_STYLE_CHARS ? [] : parseDeclarations(style);
  const safe = declarations.flatMap(([property, value]) => {
    if (!SAFE_PROPERTY.test(property) || !isSafeValue(value.replace(URL_PATTERN, 'url()'))) return [];
    const urls = value.match(URL_PATTERN) ?? [];
    if (urls.length === 0)
      return property.startsWith('margin') && /[-(]/.test(value) ? [] : [[property, value]];
    const places = urls.map((url) => IMAGE_URL.exec(url));
    if (places.includes(null)) return [];
    isRemote ||= places.some((match) => !/^cid:/i.test(match![2]!));
    const images = places.map((match) => image(match![2]!));
    if (images.includes(null)) return [];
    return [[property, value.replace(URL_PATTERN, () => `url('${images.shift()}')`)]];
  });
  return { style: safe.map(([property, value]) => `${property}:${value}`).join(';'), isRemote };
}

const URL_PATTERN = /url\([^)]*\)?/gi;

function isSafeValue(value: string): boolean {
  if (value === '' || value.length > MAX_VALUE_CHARS || /[\\<>@{}\x00-\x1f\x7f]|\/\*/.test(value))
    return false;
  if (VIEWPORT_UNIT.test(value)) return false;
  const functions = [...value.matchAll(/([\w-]*)\(/g)].map(([, name]) => name!.toLowerCase());
  return functions.every((name) => SAFE_FUNCTIONS.has(name));
}
