import { isAllowedTag } from './allowed-tags.ts';
import type { HtmlAttributes } from './html-tokens.ts';
import {
  isSameColor,
  parseColor,
  parseGradient,
  parseLegacyColor,
  TRANSPARENT_COLOR,
} from './style/color.ts';
import { type ComputedStyle, computeStyle, readDeclarations } from './style/computed-style.ts';
import { parseDeclarations, type StyleDeclaration } from './style/declarations.ts';
import {
  clipsBlock,
  computeOpacity,
  hasMargins,
  hidesContent,
  keepsHeightOfLines,
  MIN_OPACITY,
} from './style/hides-content.ts';
import { parseLength } from './style/length.ts';
import { toSafeStyle } from './style/safe-style.ts';

/** Visibility of text at a position in HTML, with the inherited properties that determine it. */
export interface Visibility {
  /** True if no content is visible, regardless of its own style. */
  isGone: boolean;
  /** `visibility: hidden`, which a descendant can override. */
  isHidden: boolean;
  /** Font size in pixels. */
  fontSize: number;
  /** Product of the opacities of all elements around. */
  opacity: number;
  /** `0xrrggbb`, or null if unknown. */
  color: number | null;
  background: number | null;
  /** True if lines have almost no height. */
  isFlat: boolean;
  /** True inside a box that clips its content and is as high as its flat lines. */
  clipsFlatLines: boolean;
}

const DEFAULT_FONT_PX = 16;

/** Visibility outside of all elements: a white background. */
export const VISIBLE_PAGE: Visibility = {
  isGone: false,
  isHidden: false,
  fontSize: DEFAULT_FONT_PX,
  opacity: 1,
  color: null,
  background: 0xffffff,
  isFlat: false,
  clipsFlatLines: false,
};

/** Largest font size, in pixels, that is considered unreadable. */
const MAX_TINY_FONT_PX = 2;

/** Returns true if a person can see the text, or if that is unknown. */
export const isTextVisible = (visibility: Visibility): boolean => {
  const { isGone, isHidden, fontSize, color, background, isFlat, clipsFlatLines } = visibility;
  return !(
    isGone ||
    isHidden ||
    fontSize <= MAX_TINY_FONT_PX ||
    color === TRANSPARENT_COLOR ||
    isSameColor(color, background) ||
    (isFlat && clipsFlatLines)
  );
};

/**
 * Computes the visibility of an element's content from its attributes, its style and the style sheet. Returns `outer`
 * if the element changes nothing. Text is visible only if both the original message and the displayed message show it,
 * because the displayed message lacks some elements and declarations. Takes linear time.
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
  if (outer.isGone) return outer;
  if (sheet.length === 0 && !hasRelevantAttribute(name, attributes))
    return outer.clipsFlatLines && hasMargins(name) ? { ...outer, clipsFlatLines: false } : outer;
  const ownStyle = attributes.get('style') ?? '';
  const compute = (own: readonly StyleDeclaration[]) =>
    computeStyled(name, attributes, outer, computeStyle([...sheet, ...own]));
  const original = compute(readDeclarations(ownStyle));
  const isOriginalVisible = isTextVisible(original);
  if (isOriginalVisible && isDisplayedAlike(name, ownStyle)) return original;
  const displayed = isDisplayed(name) ? compute(readSafeDeclarations(ownStyle)) : outer;
  if (isOriginalVisible || !isTextVisible(outer)) return original.isGone ? original : displayed;
  // The element hides its text by means that the displayed message lacks.
  return isTextVisible(displayed) ? { ...outer, isGone: true } : original.isGone ? original : displayed;
}

/** Returns true for declarations that hide text on any background. */
export const hidesText = (declarations: string): boolean =>
  !isTextVisible(
    computeStyled('', new Map(), UNKNOWN_BACKGROUND, computeStyle(readDeclarations(declarations))),
  );

const UNKNOWN_BACKGROUND: Visibility = { ...VISIBLE_PAGE, background: null };

const isDisplayed = (name: string): boolean => isAllowedTag(name) || name === 'body';

/** Declarations that sanitizing may remove, and that may affect colors. */
const UNSAFE_STYLE = /[\\({<>@\x00-\x1f]|\/\*|text-shadow|background-clip/;
/** Longer styles may exceed the limits of sanitizing. */
const MAX_SIMPLE_STYLE_CHARS = 1_000;

const isDisplayedAlike = (name: string, style: string): boolean =>
  isDisplayed(name) && style.length <= MAX_SIMPLE_STYLE_CHARS && !UNSAFE_STYLE.test(style);

/** Returns the declarations that remain after sanitizing and therefore compete with the style sheet. */
const readSafeDeclarations = (style: string): StyleDeclaration[] =>
  style === '' ? [] : parseDeclarations(toSafeStyle(style, (address) => address).style);

const hasRelevantAttribute = (name: string, attributes: HtmlAttributes): boolean =>
  name === 'dialog' ||
  (attributes.size > 0 && RELEVANT_ATTRIBUTES.some((attribute) => attributes.has(attribute)));

const RELEVANT_ATTRIBUTES = [
  ...['style', 'hidden', 'popover', 'bgcolor', 'background', 'color', 'text', 'size'],
];

function computeStyled(
  name: string,
  attributes: HtmlAttributes,
  outer: Visibility,
  style: ComputedStyle,
): Visibility {
  const isHiddenByDefault =
    attributes.has('hidden') || attributes.has('popover') || (name === 'dialog' && !attributes.has('open'));
  const opacity = outer.opacity * computeOpacity(style);
  if (opacity < MIN_OPACITY || hidesContent(name, style, isHiddenByDefault))
    return { ...outer, isGone: true };
  const fontSize = computeFontSize(style, name === 'font' && attributes.has('size'), outer.fontSize);
  const isFlat = isFlatLine(style, fontSize, outer.isFlat);
  return {
    isGone: false,
    isHidden: isHidden(style, outer),
    fontSize,
    opacity,
    ...computeColors(name, style, attributes, outer),
    isFlat,
    clipsFlatLines:
      keepsHeightOfLines(name, style) && (outer.clipsFlatLines || (isFlat && clipsBlock(name, style))),
  };
}

function isFlatLine(style: ComputedStyle, fontSize: number, outer: boolean): boolean {
  const value = style.get('line-height');
  if (value === undefined || /^(?:inherit|unset)$/.test(value)) return outer;
  const height = parseLength(value, { font: fontSize, percent: fontSize / 100 });
  return height !== null && Math.abs(height) * (/^[\d.]+$/.test(value) ? fontSize : 1) <= MAX_FLAT_LINE_PX;
}

/** Largest line height, in pixels, of which nothing can be read in a clipped box. */
const MAX_FLAT_LINE_PX = 2;

function isHidden(style: ComputedStyle, outer: Visibility): boolean {
  const value = style.get('visibility');
  if (value === 'hidden' || value === 'collapse') return true;
  return value === 'visible' || value === 'initial' ? false : outer.isHidden;
}

function computeFontSize(style: ComputedStyle, hasSizeAttribute: boolean, outer: number): number {
  const value = style.get('font-size');
  if (value === undefined) return hasSizeAttribute ? DEFAULT_FONT_PX : outer;
  if (/^(?:inherit|unset|smaller|larger)$/.test(value)) return outer;
  const size = parseLength(value, { font: outer, percent: outer / 100 });
  return size !== null && size >= 0 ? size : DEFAULT_FONT_PX;
}

const TABLE_ELEMENT = /^(?:table|t(?:body|head|foot|[rhd]))$/;

function computeColors(name: string, style: ComputedStyle, attributes: HtmlAttributes, outer: Visibility) {
  const attribute = { font: 'color', body: 'text' }[name];
  const given = attribute === undefined ? undefined : attributes.get(attribute);
  const inherited = (given === undefined ? null : parseLegacyColor(given)) ?? outer.color;
  const color = style.get('-webkit-text-fill-color') ?? style.get('color');
  // A text shadow, or a background clipped to the text, may be visible although the text is not.
  const isDrawn =
    style.has('text-shadow') || [...style.keys()].some((key) => key.endsWith('background-clip'));
  const isOutOfFlow = /^(?:absolute|fixed)$/.test(style.get('position') ?? '');
  return {
    color: isDrawn ? null : color === undefined ? inherited : parseColor(color, outer.color),
    background: computeBackground(name, style, attributes, isOutOfFlow ? null : outer.background),
  };
}

const IMAGE = /\b(?:url|gradient|image(?:-set)?|cross-fade|element)\(/;

function computeBackground(
  name: string,
  style: ComputedStyle,
  attributes: HtmlAttributes,
  backdrop: number | null,
): number | null {
  const background = style.get('background-color') ?? style.get('background');
  const image = [style.get('background-image') ?? 'none', background ?? ''].find((text) => IMAGE.test(text));
  if (/^\s*(?:(?:https?:)?\/\/|cid:)/i.test(attributes.get('background') ?? '')) return null;
  if (image !== undefined) return parseGradient(image);
  const hasAttribute = TABLE_ELEMENT.test(name) || name === 'body';
  const given = hasAttribute ? parseLegacyColor(attributes.get('bgcolor') ?? '') : null;
  if (background === undefined) return given ?? backdrop;
  const words = background.split(/\s+(?![^()]{0,60}\))/);
  for (const word of words) {
    const color = parseColor(word, null);
    if (color !== null) return color === TRANSPARENT_COLOR ? backdrop : color;
  }
  return /^(?:none|initial|unset)$/.test(background) ? backdrop : null;
}
