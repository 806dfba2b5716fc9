import type { HtmlAttributes } from './html-tokens.ts';
import { parseDeclarations, type StyleDeclaration } from './style/declarations.ts';
import { toSafeStyle } from './style/safe-style.ts';

/** Visibility of text at a position in HTML, with the inherited properties that determine it. */
export interface Visibility {
  /** True if no content is visible, regardless of its own style. */
  isGone: boolean;
  /** `visibility: hidden`, which a descendant can override. */
  isHidden: boolean;
  isTiny: boolean;
  /** `0xrrggbb`, or null if unknown. */
  color: number | null;
  background: number | null;
}

const TRANSPARENT_COLOR = -1;

/** Visibility outside of all elements: a white background. */
export const VISIBLE_PAGE: Visibility = {
  isGone: false,
  isHidden: false,
  isTiny: false,
  color: null,
  background: 0xffffff,
};

/** Returns true if a person can see the text, or if that is unknown. */
export const isTextVisible = ({ isGone, isHidden, isTiny, color, background }: Visibility): boolean =>
  !(isGone || isHidden || isTiny || color === TRANSPARENT_COLOR || isSameColor(color, background));

/** Smaller differences between color channels are invisible. */
const MIN_CHANNEL_DIFFERENCE = 4;

const isSameColor = (a: number | null, b: number | null): boolean =>
  a !== null &&
  b !== null &&
  [16, 8, 0].every((bits) => Math.abs(((a >> bits) & 255) - ((b >> bits) & 255)) < MIN_CHANNEL_DIFFERENCE);

/**
 * Computes the visibility of an element's content from its attributes, its style and the style sheet. Returns `outer`
 * if the element changes nothing. Takes linear time in the length of the attributes.
 * @param name in lower case
 * @param outer visibility at the element's position
 * @param sheet declarations of the style sheet that apply to the element, in cascade order
 */
export function computeVisibility(
  name: string,
  attributes: HtmlAttributes,
  outer: Visibility,
  sheet: readonly StyleDeclaration[] = [],
): Visibility {
  if (outer.isGone || (sheet.length === 0 && !hasRelevantAttribute(attributes))) return outer;
  const ownStyle = attributes.get('style') ?? '';
  const ownDeclarations = readDeclarations(ownStyle);
  const declarations = sheet.length > 0 ? readSafeDeclarations(ownStyle) : ownDeclarations;
  const style = computeStyle([...sheet, ...declarations]);
  // The element hides itself with a declaration that the sanitizer would remove, so the displayed message must hide it
  // by other means.
  const hidesItself =
    declarations !== ownDeclarations &&
    isGone(name, computeStyle(ownDeclarations), false) &&
    !isGone(name, computeStyle(declarations), false);
  if (hidesItself || isGone(name, style, attributes.has('hidden'))) return { ...outer, isGone: true };
  return {
    isGone: false,
    isHidden: isHidden(style, outer),
    isTiny: isTiny(style, name === 'font' && attributes.has('size'), outer),
    ...computeColors(style, attributes, outer),
  };
}

export const hidesAllContent = (declarations: string): boolean =>
  isGone('', computeStyle(readDeclarations(declarations)), false);

/** Returns the declarations that remain after sanitizing and therefore compete with the style sheet. */
const readSafeDeclarations = (style: string): StyleDeclaration[] =>
  style === '' ? [] : parseDeclarations(toSafeStyle(style, (address) => address).style);

const hasRelevantAttribute = (attributes: HtmlAttributes): boolean =>
  attributes.size > 0 && RELEVANT_ATTRIBUTES.some((attribute) => attributes.has(attribute));

const RELEVANT_ATTRIBUTES = ['style', 'hidden', 'bgcolor', 'background', 'color', 'size'];

type ComputedStyle = ReadonlyMap<string, string>;

function computeStyle(declarations: readonly StyleDeclaration[]): ComputedStyle {
  const style = new Map<string, string>();
  const important = new Set<string>();
  for (const [given, full] of declarations) {
    const value = full.toLowerCase().replace(/\s{0,9}!\s{0,9}important$/, '');
    const isImportant = value.length < full.length;
    const [property, propertyValue] = given === 'font' ? ['font-size', getFontSize(value)] : [given, value];
    if ((important.has(property) && !isImportant) || !(KNOWN_VALUES[property]?.test(propertyValue) ?? true))
      continue;
    style.set(property, propertyValue);
    if (isImportant) important.add(property);
  }
  return style;
}

const readDeclarations = (text: string): StyleDeclaration[] =>
  text === '' ? [] : parseDeclarations(stripCommentsAndEscapes(text));

const stripCommentsAndEscapes = (text: string): string =>
  text
    .replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
    .replace(/\\(?:([0-9a-f]{1,6})\s?|([\s\S]))/gi, (_, hex?: string, char?: string) =>
      hex ? String.fromCharCode(Number.parseInt(hex, 16)) : char!,
    );

/** Extracts the size from a `font` value, such as `bold 12px/1.5 Arial`. */
const getFontSize = (value: string): string =>
  /(?:^|\s)(0|\d{0,9}\.?\d{1,9}(?:px|pt|r?em|ex|ch|%))(?:\/|\s|$)/.exec(value)?.[1] ?? value;

/** Browsers ignore declarations with other values. */
const KNOWN_VALUES: Record<string, RegExp> = {
  display: new RegExp(
    '^(?:none|block|inline(?:-(?:block|flex|table|grid))?|flow-root|contents|list-item|grid|' +
      '(?:-webkit-(?:inline-)?)?(?:flex|box)|table(?:-[a-z-]{3,20})?|initial|inherit|unset|revert)$',
  ),
  visibility: /^(?:visible|hidden|collapse|initial|inherit|unset|revert)$/,
};

function isGone(name: string, style: ComputedStyle, hasHidden: boolean): boolean {
  const display = style.get('display');
  if (display === 'none' || (hasHidden && display === undefined)) return true;
  if (display === 'contents') return false;
  return isTransparent(style) || isOffScreen(style) || isClipped(style) || isCollapsed(name, style);
}

function isTransparent(style: ComputedStyle): boolean {
  const opacity = style.get('opacity') ?? /^opacity\(([^()]{1,20})\)$/.exec(style.get('filter') ?? '')?.[1];
  const [, amount, unit] = /^(\d{0,9}\.?\d{1,9})(%?)$/.exec(opacity?.trim() ?? '') ?? [];
  return amount !== undefined && Number(amount) < (unit ? 2 : 0.02);
}

const isOutOfFlow = (style: ComputedStyle): boolean =>
  /^(?:absolute|fixed)$/.test(style.get('position') ?? '');

/** Content this far beyond the left or top edge cannot be scrolled to. */
const OFF_SCREEN_PX = -900;

function isOffScreen(style: ComputedStyle): boolean {
  const isFar = (property: string) => (parsePixels(style.get(property)) ?? 0) <= OFF_SCREEN_PX;
  if (isOutOfFlow(style) && (isFar('left') || isFar('top'))) return true;
  if (isFar('margin-left') || isFar('margin-top')) return true;
  return isFar('text-indent') && style.get('white-space') === 'nowrap';
}

function isClipped(style: ComputedStyle): boolean {
  const rectangle = /^rect\(([^()]{1,80})\)$/.exec(style.get('clip') ?? '')?.[1];
  if (rectangle && isOutOfFlow(style)) {
    const sides = rectangle.trim().split(/\s*,\s*|\s+/);
    if (sides.length === 4 && sides.every((side) => Math.abs(parsePixels(side) ?? 99) <= 1)) return true;
  }
  if (/^(?:inset\((?:50|100)%|circle\(0)/.test(style.get('clip-path') ?? '')) return true;
  return /(?:^|\s)scale(?:x|y|3d)?\(\s{0,9}0(?:\.0{1,9})?\s{0,9}[,)]/.test(style.get('transform') ?? '');
}

const BLOCK_ELEMENTS = new RegExp(
  '^(?:div|p|h[1-6]|[uod]l|li|d[td]|pre|blockquote|center|address|section|article|header|footer|main|aside|nav|' +
    'fig(?:ure|caption)|form|fieldset)$',
);

/**
 * Detects a box that clips its content and is at most one pixel wide or high. Excludes table cells, which grow with
 * their content, and inline elements, whose size cannot be set.
 */
function isCollapsed(name: string, style: ComputedStyle): boolean {
  if (!/\b(?:hidden|clip)\b/.test(style.get('overflow') ?? '')) return false;
  const display = style.get('display');
  const isBox = display
    ? /^(?:block|inline-block|flow-root)$/.test(display)
    : BLOCK_ELEMENTS.test(name) || isOutOfFlow(style);
  if (
    !isBox ||
    [...style].some(([property, value]) => GROWING_PROPERTY.test(property) && !/^[01](?:px|pt)?$/.test(value))
  )
    return false;
  return ['max-height', 'height', 'max-width', 'width'].some(
    (property) => Math.abs(parsePixels(style.get(property)) ?? 99) <= 1,
  );
}

const GROWING_PROPERTY = /^(?:padding|min-(?:height|width))/;

function isHidden(style: ComputedStyle, outer: Visibility): boolean {
  const value = style.get('visibility');
  if (value === 'hidden' || value === 'collapse') return true;
  return value === 'visible' || value === 'initial' ? false : outer.isHidden;
}

/** Largest font size, in pixels, that is considered unreadable. */
const MIN_FONT_PX = 1.5;

function isTiny(style: ComputedStyle, hasFontSize: boolean, outer: Visibility): boolean {
  const value = style.get('font-size');
  if (value === undefined) return outer.isTiny && !hasFontSize;
  if (/^(?:inherit|unset|smaller|larger)$/.test(value)) return outer.isTiny;
  const [, amount, unit] = /^(\d{0,9}\.?\d{1,9})(em|ex|ch|%)$/.exec(value) ?? [];
  if (amount !== undefined) return outer.isTiny || Number(amount) < (unit === '%' ? 10 : 0.1);
  const size = parsePixels(value);
  return size !== null && size >= 0 && size <= MIN_FONT_PX;
}

const PIXELS_PER_UNIT: Record<string, number> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
  vw: 10,
  vh: 8,
};

/** Null if the value is not a length, or is a percentage other than 0. */
function parsePixels(value: string | undefined): number | null {
  const [, amount, unit = 'px'] = /^([+-]?\d{0,9}\.?\d{1,9})([a-z]{2,3}|%)?$/.exec(value ?? '') ?? [];
  if (amount === undefined) return null;
  return Number(amount) === 0
    ? 0
    : PIXELS_PER_UNIT[unit] === undefined
      ? null
      : Number(amount) * PIXELS_PER_UNIT[unit]!;
}

function computeColors(style: ComputedStyle, attributes: HtmlAttributes, outer: Visibility) {
  const [ink, fill] = [style.get('color') ?? attributes.get('color'), style.get('-webkit-text-fill-color')];
  const color = fill ?? ink;
  // A text shadow, or a background clipped to the text, may be visible although the text is not.
  const isDrawn =
    style.has('text-shadow') || [...style.keys()].some((key) => key.endsWith('background-clip'));
  return {
    color: isDrawn ? null : color === undefined ? outer.color : parseColor(color, outer.color),
    background: computeBackground(style, attributes, isOutOfFlow(style) ? null : outer.background),
  };
}

function computeBackground(
  style: ComputedStyle,
  attributes: HtmlAttributes,
  backdrop: number | null,
): number | null {
  if (attributes.has('background') || (style.get('background-image') ?? 'none') !== 'none') return null;
  const background = style.get('background-color') ?? style.get('background') ?? attributes.get('bgcolor');
  if (background === undefined || /^(?:transparent|none|initial|unset)$/.test(background)) return backdrop;
  const color = parseColor(background, null);
  return color === TRANSPARENT_COLOR ? backdrop : color;
}

function parseColor(colorText: string, inherited: number | null): number | null {
  const text = colorText.trim().toLowerCase();
  if (text === 'inherit' || text === 'currentcolor') return inherited;
  if (Object.hasOwn(NAMED_COLORS, text)) return NAMED_COLORS[text]!;
  const hex = /^#?([0-9a-f]{3,8})$/.exec(text)?.[1];
  if (hex) return parseHexColor(hex);
  const parts = /^rgba?\(([^()]{1,80})\)$/
    .exec(text)?.[1]
    ?.trim()
    .split(/\s*[,/]\s*|\s+/)
    .map(Number);
  if (!parts || parts.length < 3 || parts.length > 4 || parts.some((part) => !(part >= 0 && part <= 255)))
    return null;
  if (parts.length === 4 && parts[3]! < 1) return parts[3]! < 0.02 ? TRANSPARENT_COLOR : null;
  return (parts[0]! << 16) | (parts[1]! << 8) | parts[2]!;
}

const NAMED_COLORS: Record<string, number> = { white: 0xffffff, black: 0, transparent: TRANSPARENT_COLOR };

function parseHexColor(hex: string): number | null {
  const digits = hex.length < 6 ? hex.replace(/./g, '$&$&') : hex;
  if (digits.length === 8) {
    const alpha = Number.parseInt(digits.slice(6), 16);
    if (alpha < 255) return alpha < 5 ? TRANSPARENT_COLOR : null;
  }
  return digits.length === 6 || digits.length === 8 ? Number.parseInt(digits.slice(0, 6), 16) : null;
}
