/** Widths in pixels, inclusive. */
export interface WidthRange {
  min: number;
  max: number;
}

const DESKTOP_WIDTHS: WidthRange = { min: 800, max: 1_400 };

const WIDTH_CONDITION = /(min|max)-(?:device-)?width\s*:\s*(\d{1,5}(?:\.\d{1,4})?)(px|em|rem)/.source;
const MEDIA_FEATURE = new RegExp(`^\\(\\s*(?:${WIDTH_CONDITION})\\s*\\)$`);
const LENGTH_PATTERN = /(\d{1,5}(?:\.\d{1,4})?)(px|em|rem)/.source;
const buildRange = (sign: string) =>
  new RegExp(
    `^\\(\\s*(?:${LENGTH_PATTERN}\\s*(${sign}=?)\\s*)?width\\s*(?:(${sign}=?)\\s*${LENGTH_PATTERN}\\s*)?\\)$`,
  );
const [ASCENDING_RANGE, DESCENDING_RANGE] = [buildRange('<'), buildRange('>')];
/** Features of every screen. */
const GENERAL_FEATURE = new RegExp(
  '^\\(\\s*(?:prefers-color-scheme\\s*:\\s*light|color|min-width\\s*:\\s*0|' +
    '-webkit-min-device-pixel-ratio\\s*:\\s*(?:0?\\.\\d{1,9}|[01])|' +
    'min-resolution\\s*:\\s*(?:[01](?:dpp)?x|\\d{1,2}dpi))\\s*\\)$',
);

/**
 * Returns the widths at which a media query list matches. Messages are displayed on a screen with a light background.
 * Queries with features other than width and color scheme never match.
 */
export function parseMediaWidths(queries: string): WidthRange[] {
  return queries.length > 500 ? [] : queries.toLowerCase().split(',').flatMap(parseQueryWidths);
}

function parseQueryWidths(query: string): WidthRange[] {
  if (/^\s*not\s+(?:print|speech)\s*$/.test(query)) return [{ min: 0, max: Number.POSITIVE_INFINITY }];
  const widths: WidthRange = { min: 0, max: Number.POSITIVE_INFINITY };
  for (const [index, part] of query
    .trim()
    .split(/\s+and\s+|\band(?=\()|(?<=\))and\b/)
    .entries()) {
    if (index === 0 && /^(?:only\s+)?(?:screen|all)$/.test(part)) continue;
    const range = parseFeature(part.trim());
    if (range === null) return [];
    widths.min = Math.max(widths.min, range.min ?? 0);
    widths.max = Math.min(widths.max, range.max ?? Number.POSITIVE_INFINITY);
  }
  return widths.min <= widths.max ? [widths] : [];
}

/** Returns the widths at which a media feature matches. Null if the feature is unknown. */
function parseFeature(feature: string): Partial<WidthRange> | null {
  if (GENERAL_FEATURE.test(feature)) return {};
  const [match, end = '', length, unit] = MEDIA_FEATURE.exec(feature) ?? [];
  if (match !== undefined) return { [end]: toPixels(length, unit) };
  const [, low, lowUnit, lowSign, highSign, high, highUnit] =
    ASCENDING_RANGE.exec(feature) ?? swapSides(DESCENDING_RANGE.exec(feature));
  if (lowSign === undefined && highSign === undefined) return null;
  return {
    ...(lowSign && { min: toPixels(low, lowUnit) + (lowSign.endsWith('=') ? 0 : WIDTH_STEP_PX) }),
    ...(highSign && { max: toPixels(high, highUnit) - (highSign.endsWith('=') ? 0 : WIDTH_STEP_PX) }),
  };
}

/** Turns the groups of `a > width > b` into those of `b < width < a`. */
function swapSides(groups: RegExpExecArray | null): (string | undefined)[] {
  const [match, high, highUnit, highSign, lowSign, low, lowUnit] = groups ?? [];
  return [match, low, lowUnit, lowSign, highSign, high, highUnit];
}

const toPixels = (length: string | undefined, unit: string | undefined): number =>
  Number(length) * (unit === 'px' ? 1 : 16);

export const intersectWidths = (left: readonly WidthRange[], right: readonly WidthRange[]): WidthRange[] =>
  left.flatMap((a) =>
    right.flatMap((b) => {
      const overlap = { min: Math.max(a.min, b.min), max: Math.min(a.max, b.max) };
      return overlap.min <= overlap.max ? [overlap] : [];
    }),
  );

export const includesWidth = (widths: readonly WidthRange[], width: number): boolean =>
  widths.some(({ min, max }) => min <= width && width <= max);

export const formatMediaQuery = (widths: readonly WidthRange[]): string =>
  widths
    .map(({ min, max }) =>
      [
        'screen',
        ...(min > 0 ? [`(min-width:${min}px)`] : []),
        ...(max < Number.POSITIVE_INFINITY ? [`(max-width:${max}px)`] : []),
      ].join(' and '),
    )
    .join(',');

/** A page width that represents a range of widths in which the same rules match. */
export interface WidthSample {
  width: number;
  isDesktop: boolean;
}

/** Added to a `max-width` to get the next larger width. */
const WIDTH_STEP_PX = 0.001;

export function computeSamples(all: Iterable<WidthRange>): WidthSample[] {
  const starts = new Set([0]);
  for (const { min, max } of all) {
    starts.add(min);
    if (max < Number.POSITIVE_INFINITY) starts.add(max + WIDTH_STEP_PX);
  }
  const sortedStarts = [...starts].sort((a, b) => a - b);
  return sortedStarts.map((width, index) => ({
    width,
    isDesktop:
      width < DESKTOP_WIDTHS.max &&
      (sortedStarts[index + 1] ?? Number.POSITIVE_INFINITY) > DESKTOP_WIDTHS.min,
  }));
}
