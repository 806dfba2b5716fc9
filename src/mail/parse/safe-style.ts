const SIDE = '(?:top|right|bottom|left)';

const PROPERTIES = [
  ...['color', 'background(?:-(?:color|image|position|repeat|size))?', 'opacity', 'direction', 'display'],
  ...['font(?:-(?:family|size|style|variant|weight))?', 'line-height', 'letter-spacing', 'white-space'],
  ...['text-(?:align|decoration(?:-(?:line|color|style))?|indent|overflow|transform)', 'vertical-align'],
  ...['word-(?:break|spacing|wrap)', 'overflow(?:-wrap|-x|-y)?', 'float', 'clear', 'box-sizing'],
  ...['(?:(?:min|max)-)?(?:width|height)', `(?:margin|padding)(?:-${SIDE})?`, 'border(?:-[a-z]+){0,3}'],
  ...['list-style(?:-(?:type|position))?', 'table-layout', 'caption-side', 'empty-cells'],
];
const PROPERTY = new RegExp(`^(?:${PROPERTIES.join('|')})$`);

const FUNCTIONS = new Set(['', 'rgb', 'rgba', 'hsl', 'hsla', 'calc', 'url']);

const LONGEST = 10_000;
const LONGEST_VALUE = 1_000;

const REMOTE_URL = /^url\( {0,9}(["']?)https?:\/\/[^\s"'()\\<>]{1,900}\1 {0,9}\)$/i;

/** A style attribute that may be shown, and whether it loads something from elsewhere. */
export interface SafeStyle {
  style: string;
  isRemote: boolean;
}

/**
 * The declarations of a style attribute that only say how text looks. What is laid over the page, loads or runs
 * something, or is written so that it could be read in two ways is left out.
 * @param allowRemote whether background images of other servers stay
 */
export function safeStyle(given: string, allowRemote: boolean): SafeStyle {
  let isRemote = false;
  const kept = given.length > LONGEST ? [] : declarations(given);
  const safe = kept.filter(([property, value]) => {
    if (!PROPERTY.test(property) || !isPlain(value)) return false;
    const urls = value.match(/url\([^)]*\)?/gi) ?? [];
    if (urls.length === 0) return !(property.startsWith('margin') && /[-(]/.test(value));
    if (!urls.every((url) => REMOTE_URL.test(url))) return false;
    isRemote = true;
    return allowRemote;
  });
  return { style: safe.map(([property, value]) => `${property}:${value}`).join(';'), isRemote };
}

/** In lower case, each with its value. Semicolons in brackets or quotes separate none. */
function declarations(style: string): [property: string, value: string][] {
  const parts = [''];
  let closing = '';
  for (const char of style) {
    if (char === ';' && closing === '') {
      parts.push('');
      continue;
    }
    if (char === closing) closing = '';
    else if (closing === '' && (char === '"' || char === "'" || char === '('))
      closing = char === '(' ? ')' : char;
    parts[parts.length - 1] += char;
  }
  return parts.flatMap((part) => {
    const colon = part.indexOf(':');
    return colon < 1 ? [] : [[part.slice(0, colon).trim().toLowerCase(), part.slice(colon + 1).trim()]];
  });
}

function isPlain(value: string): boolean {
  if (value === '' || value.length > LONGEST_VALUE || /[\\<>@{}\x00-\x1f\x7f]|\/\*/.test(value)) return false;
  const functions = [...value.matchAll(/([\w-]*)\(/g)].map(([, name]) => name!.toLowerCase());
  return functions.every((name) => FUNCTIONS.has(name));
}
