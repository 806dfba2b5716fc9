import { type ComputedStyle, expandSides } from './computed-style.ts';
import { parseFraction, parseLength } from './length.ts';

/** Opacity below which content is invisible. */
export const MIN_OPACITY = 0.02;

/**
 * Returns true if the element hides all of its content, regardless of the content's own style.
 * @param name in lower case
 */
export function hidesContent(name: string, style: ComputedStyle, isHiddenByDefault: boolean): boolean {
  const display = style.get('display');
  if (display === 'none' || (isHiddenByDefault && display === undefined)) return true;
  if (display === 'contents' || style.size === 0) return false;
  return (
    style.get('content-visibility') === 'hidden' ||
    (parseFraction(style.get('zoom')) ?? 1) < MIN_SCALE ||
    isOffScreen(style) ||
    isClipped(style) ||
    isTransformedAway(style) ||
    isCollapsed(name, style)
  );
}

export const computeOpacity = (style: ComputedStyle): number =>
  getFunctions(style.get('filter')).reduce(
    (product, [name, value]) => {
      if (name === 'opacity') return product * (parseFraction(value) ?? 1);
      return name === 'blur' && (parseLength(value) ?? 0) > MAX_BLUR_PX ? 0 : product;
    },
    parseFraction(style.get('opacity')) ?? 1,
  );

const MAX_BLUR_PX = 8;
const MIN_SCALE = 0.05;

/** Splits a list of functions, such as `blur(1px) opacity(0)`. */
const getFunctions = (text = ''): [name: string, value: string][] =>
  [...text.slice(0, 500).matchAll(/([\w-]{1,40})\(((?:[^()]|\([^()]{0,99}\)){0,200})\)/g)].map(
    ([, name, value]) => [name!, value!.trim()],
  );

const isOutOfFlow = (style: ComputedStyle): boolean =>
  /^(?:absolute|fixed)$/.test(style.get('position') ?? '');

/** Distances beyond which content is outside of the page or too far to be found. */
const [FAR_BEFORE_PX, FAR_AFTER_PX] = [-500, 3_000];
/** Distance from the far edge beyond which content is outside of the page. */
const PAGE_WIDTH_PX = 900;
const ON_PAGE = { percent: 10 };

const isFar = (text: string | undefined): boolean => {
  const distance = parseLength(text, ON_PAGE) ?? 0;
  return distance <= FAR_BEFORE_PX || distance >= FAR_AFTER_PX;
};

function isOffScreen(style: ComputedStyle): boolean {
  const get = (property: string) => style.get(property);
  if (/^(?:absolute|fixed|relative)$/.test(get('position') ?? '')) {
    if (isFar(get('left')) || isFar(get('top'))) return true;
    const after = Math.max(...['right', 'bottom'].map((side) => parseLength(get(side), ON_PAGE) ?? 0));
    if (after >= PAGE_WIDTH_PX) return true;
  }
  if (isFar(get('margin-left')) || isFar(get('margin-top')) || isFar(get('text-indent'))) return true;
  return (
    get('white-space') === 'nowrap' && clips(style) && parseLength(get('text-indent'), ON_PAGE)! >= 1_000
  );
}

function isClipped(style: ComputedStyle): boolean {
  const rectangle = /^rect\(([^()]{1,80})\)$/.exec(style.get('clip') ?? '')?.[1];
  if (rectangle && isOutOfFlow(style)) {
    const [top, right, bottom, left] = rectangle
      .trim()
      .split(/\s*,\s*|\s+/)
      .map((side) => parseLength(side));
    if (isEmptyRange(top, bottom) || isEmptyRange(left, right)) return true;
  }
  const [[name, value] = ['', '']] = getFunctions(style.get('clip-path'));
  if (name === 'circle' || name === 'ellipse')
    return /^\S/.test(value) && isTinyLength(value.split(/\s+/)[0]);
  if (name === 'polygon') return isFlatPolygon(value);
  if (name !== 'inset') return false;
  const [top, right, bottom, left] = expandSides(value.split(/\bround\b/, 1)[0]!).map(
    (side) => parseLength(side, { percent: 1 }) ?? 0,
  );
  return Math.max(top! + bottom!, left! + right!) >= (value.includes('%') ? 98 : 1_000);
}

const isEmptyRange = (from: number | null | undefined, to: number | null | undefined): boolean =>
  from != null && to != null && to - from <= 1;

const isTinyLength = (text: string | undefined): boolean =>
  Math.abs(parseLength(text, { percent: 1 }) ?? 99) <= 1;

/** Returns true for a polygon without an area because its points are in a row or a column. */
function isFlatPolygon(text: string): boolean {
  const points = text.split(',').map((point) => point.trim().split(/\s+/).slice(-2));
  return [0, 1].some((axis) => {
    const values = points.map((point) => parseLength(point[axis], { percent: 10 }) ?? Number.NaN);
    return Math.max(...values) - Math.min(...values) <= 1;
  });
}

function isTransformedAway(style: ComputedStyle): boolean {
  const translations = style.get('translate')?.split(/\s+/) ?? [];
  const scales = style.get('scale')?.split(/\s+/) ?? [];
  if (translations.some(isFar) || scales.some(isSmallScale)) return true;
  return getFunctions(style.get('transform')).some(([name, value]) => {
    const values = value.split(',').map((part) => part.trim());
    if (name.startsWith('translate')) return values.some(isFar);
    if (/^scale(?:x|y|3d)?$/.test(name)) return values.slice(0, 2).some(isSmallScale);
    if (name === 'matrix') {
      const [a = 1, b = 0, c = 0, d = 1] = values.map(Number);
      return Math.abs(a * d - b * c) < MIN_SCALE ** 2 || values.slice(4).some(isFar);
    }
    return /^rotate[xy]$/.test(name) && /^-?(?:90|270)deg$/.test(value);
  });
}

const isSmallScale = (text: string): boolean =>
  Math.abs(parseLength(text, { percent: 0.01 }) ?? 1) < MIN_SCALE;

const clips = (style: ComputedStyle): boolean =>
  ['overflow', 'overflow-x', 'overflow-y'].some((property) =>
    /\b(?:hidden|clip|scroll|auto)\b/.test(style.get(property) ?? ''),
  );

const BLOCK_ELEMENTS = new RegExp(
  '^(?:div|p|h[1-6]|[uod]l|li|d[td]|pre|blockquote|center|address|section|article|header|footer|main|aside|nav|' +
    'fig(?:ure|caption)|form|fieldset)$',
);

/** Maximum size, in pixels, of a box in which nothing can be read. */
const MAX_COLLAPSED_PX = 2;

/**
 * Detects a box that clips its content and is almost without width or height. Excludes table cells, which grow with
 * their content, and inline elements, whose size cannot be set.
 */
function isCollapsed(name: string, style: ComputedStyle): boolean {
  if (!clipsBlock(name, style) || [...style].some(isGrowing)) return false;
  return ['max-height', 'height', 'max-width', 'width'].some(
    (property) => Math.abs(parseLength(style.get(property)) ?? 99) <= MAX_COLLAPSED_PX,
  );
}

/** Returns true for a box, other than a table cell, that clips its content. */
export function clipsBlock(name: string, style: ComputedStyle): boolean {
  if (!clips(style)) return false;
  const display = style.get('display');
  const isFloating = isOutOfFlow(style) || /^(?:left|right)$/.test(style.get('float') ?? '');
  return display
    ? isFloating || /^(?:block|flow-root|(?:inline-)?(?:flex|grid)|inline-block|list-item)$/.test(display)
    : isFloating || BLOCK_ELEMENTS.test(name);
}

const GROWING_PROPERTY = /^(?:padding|min-(?:height|width))/;

const isGrowing = ([property, value]: [property: string, value: string]): boolean =>
  GROWING_PROPERTY.test(property) && !/^[01](?:px|pt)?$/.test(value);

/** Returns true if a box is as high as its lines, unlike a box with a height, a padding, a margin or a border. */
export const keepsHeightOfLines = (name: string, style: ComputedStyle): boolean =>
  !(
    [...style].some((declaration) => isGrowing(declaration) || isHigher(declaration)) ||
    (hasMargins(name) && !style.has('margin-top'))
  );

const isHigher = ([property, value]: [property: string, value: string]): boolean =>
  /^(?:height|margin-(?:top|bottom)|border)/.test(property) && !/^(?:0|[01]px|none|auto)\b/.test(value);

/** Elements with margins by default. */
export const hasMargins = (name: string): boolean =>
  /^(?:p|h[1-6]|[uod]l|dd|pre|blockquote|figure|fieldset|hr)$/.test(name);
