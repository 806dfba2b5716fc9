import { declarationsIn } from './declarations.ts';

const SIDE = '(?:top|right|bottom|left)';

const PROPERTIES = [
  ...['color', 'background(?:-(?:color|image|position|repeat|size))?', 'opacity', 'direction', 'display'],
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
  ...['(?:(?:min|max)-)?(?:width|height)', `(?:margin|padding)(?:-${SIDE})?`, 'border(?:-[a-z]+){0,3}'],
  ...['list-style(?:-(?:type|position))?', 'table-layout', 'caption-side', 'empty-cells'],
];
const PROPERTY = new RegExp(`^(?:${PROPERTIES.join('|')})$`);

const FUNCTIONS = new Set(['', 'rgb', 'rgba', 'hsl', 'hsla', 'calc', 'url']);

const LONGEST = 10_000;
const LONGEST_VALUE = 1_000;

const IMAGE_URL = /^url\( {0,9}(["']?)((?:https?:\/\/|cid:)[^\s"'()\\<>]{1,900})\1 {0,9}\)$/i;

/** Heights of the frame that a message is shown in, which is made as high as the message. */
const OF_FRAME = /\d(?:[sld]?v(?:h|b|min|max))\b/i;

/** A style attribute that may be shown, and whether it loads something from elsewhere. */
export interface SafeStyle {
  style: string;
  isRemote: boolean;
}

/**
 * The declarations of a style attribute that only say how text looks. What is laid over the page, loads or runs
 * something, or is written so that it could be read in two ways is left out.
 * @param image where a background image is to be had, of the message or of another server; null for none
 */
export function safeStyle(given: string, image: (address: string) => string | null): SafeStyle {
  let isRemote = false;
  const kept = given.length > LONGEST ? [] : declarationsIn(given);
  const safe = kept.flatMap(([property, value]) => {
    if (!PROPERTY.test(property) || !isPlain(value)) return [];
    const urls = value.match(URLS) ?? [];
    if (urls.length === 0)
      return property.startsWith('margin') && /[-(]/.test(value) ? [] : [[property, value]];
    const places = urls.map((url) => IMAGE_URL.exec(url));
    if (places.includes(null)) return [];
    isRemote ||= places.some((place) => !/^cid:/i.test(place![2]!));
    const shown = places.map((place) => image(place![2]!));
    if (shown.includes(null)) return [];
    return [[property, value.replace(URLS, () => `url('${shown.shift()}')`)]];
  });
  return { style: safe.map(([property, value]) => `${property}:${value}`).join(';'), isRemote };
}

const URLS = /url\([^)]*\)?/gi;

function isPlain(value: string): boolean {
  if (value === '' || value.length > LONGEST_VALUE || /[\\<>@{}\x00-\x1f\x7f]|\/\*/.test(value)) return false;
  if (OF_FRAME.test(value)) return false;
  const functions = [...value.matchAll(/([\w-]*)\(/g)].map(([, name]) => name!.toLowerCase());
  return functions.every((name) => FUNCTIONS.has(name));
}
