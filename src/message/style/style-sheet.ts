import { hidesText } from '../html-visibility.ts';
import { parseDeclarations, type StyleDeclaration } from './declarations.ts';
import {
  computeSamples,
  formatMediaQuery,
  includesWidth,
  intersectWidths,
  parseMediaWidths,
  type WidthRange,
  type WidthSample,
} from './media.ts';
import { parseStyleRules, type RawStyleRule } from './read-rules.ts';
import { toSafeStyle } from './safe-style.ts';
import {
  computeSpecificity,
  formatSelector,
  isDisplayable,
  matchesSelector,
  parseSelector,
  type SelectorSubject,
  type StyleSelector,
} from './selector.ts';

const MAX_SHEET_CHARS = 256 * 1024;
const MAX_RULES = 3_000;
const MAX_WIDTHS = 12;
/** Maximum selector comparisons and applied declarations per message. */
const MAX_STEPS = 500_000;
/** Characters of a style attribute that take as long to process as one declaration. */
const CHARS_PER_STEP = 4;

export class StyleTooComplexError extends Error {}

interface StyleRule {
  selector: StyleSelector;
  specificity: number;
  order: number;
  /** Null for a rule outside of `@media`. */
  widths: WidthRange[] | null;
  /** Sanitized. */
  style: string;
  declarations: readonly StyleDeclaration[];
}

/**
 * The displayed rules of a message's style sheets. They depend only on the message's elements and the page width, so
 * their effect in a browser can be computed here.
 */
export interface MailStyleSheet {
  rules: readonly StyleRule[];
  /** A page width for each combination of matching `@media` rules. */
  samples: readonly WidthSample[];
  names: { classes: ReadonlySet<string>; ids: ReadonlySet<string> };
  /** True if rules beyond the limits were omitted. */
  isCut: boolean;
  index: ReadonlyMap<string, readonly StyleRule[]>;
}

export function parseStyleSheet(texts: readonly string[]): MailStyleSheet {
  let isCut = false;
  let remaining = MAX_SHEET_CHARS;
  const rules: StyleRule[] = [];
  const widths = new Map<string, WidthRange>();
  for (const text of texts) {
    remaining -= text.length;
    const raw = remaining < 0 ? [] : parseStyleRules(text);
    isCut ||= remaining < 0;
    for (const rule of raw.flatMap(buildRules)) {
      for (const width of rule.widths ?? []) widths.set(`${width.min} ${width.max}`, width);
      if (rules.length < MAX_RULES && widths.size <= MAX_WIDTHS) rules.push(rule);
      else isCut = true;
    }
    if (widths.size > MAX_WIDTHS) break;
  }
  rules.sort((a, b) => a.specificity - b.specificity);
  for (const [index, rule] of rules.entries()) rule.order = index;
  return {
    rules,
    samples: computeSamples(rules.flatMap((rule) => rule.widths ?? [])),
    names: collectNames(rules),
    isCut,
    index: Map.groupBy(rules, ({ selector }) => getIndexKey(selector)),
  };
}

function buildRules({ selectors, declarations, media }: RawStyleRule): StyleRule[] {
  const widths = media.length === 0 ? null : media.map(parseMediaWidths).reduce(intersectWidths);
  if (widths?.length === 0) return [];
  const displayedStyle = buildDisplayStyle(declarations);
  if (displayedStyle === '') return [];
  return selectors.split(',', MAX_RULES).flatMap((text) => {
    const selector = parseSelector(text);
    if (!selector) return [];
    const isDisplayed = isDisplayable(selector);
    if (!isDisplayed && !hidesText(displayedStyle)) return [];
    const style = isDisplayed ? displayedStyle : HIDING_STYLE;
    return {
      ...{ selector, specificity: computeSpecificity(selector), order: 0 },
      ...{ widths, style, declarations: parseDeclarations(style) },
    };
  });
}

/** Replaces a style that hides elements. Their tags get it as well if the rule cannot be displayed. */
const HIDING_STYLE = 'display:none';

/** Keeps elements hidden if sanitizing removes the declaration that hides them. */
function buildDisplayStyle(styleText: string): string {
  const { style } = toSafeStyle(styleText, (address) => address);
  if (!hidesText(styleText) || hidesText(style)) return style;
  return `${style}${style && ';'}${HIDING_STYLE}${/!\s*important/i.test(styleText) ? ' !important' : ''}`;
}

function collectNames(rules: readonly StyleRule[]): MailStyleSheet['names'] {
  const compounds = rules.flatMap(({ selector }) => selector);
  return {
    classes: new Set(compounds.flatMap(({ classes }) => classes)),
    ids: new Set(compounds.flatMap(({ id }) => (id === '' ? [] : [id]))),
  };
}

function getIndexKey(selector: StyleSelector): string {
  const { id, classes, tag } = selector.at(-1)!;
  if (id !== '') return `#${id}`;
  return classes.length > 0 ? `.${classes[0]}` : tag;
}

/** @param remote returns the URL of an image; null if it is not shown */
export function formatStyleSheet(
  { rules }: MailStyleSheet,
  scope: string,
  remote: (address: string) => string | null,
): SafeStyleSheet {
  let isRemote = false;
  const lines = rules.flatMap(({ selector, widths, style }) => {
    if (!isDisplayable(selector)) return [];
    const safeStyle = toSafeStyle(style, remote);
    isRemote ||= safeStyle.isRemote;
    if (safeStyle.style === '') return [];
    const rule = `${formatSelector(selector, scope)}{${safeStyle.style}}`;
    return widths ? `@media ${formatMediaQuery(widths)}{${rule}}` : rule;
  });
  return { text: lines.join('\n'), isRemote };
}

interface SafeStyleSheet {
  text: string;
  isRemote: boolean;
}

/** The rules that match an element. */
export interface MatchedStyle {
  isFixed: boolean;
  at(width: number): StyleDeclaration[];
}

/** @param length characters of the element's style attribute */
export type StyleMatcher = (subject: SelectorSubject, length: number) => MatchedStyle | null;

/**
 * Matches the elements of one message.
 * @throws StyleTooComplexError
 */
export function createStyleMatcher({ rules, index }: MailStyleSheet): StyleMatcher {
  if (rules.length === 0) return () => null;
  let steps = 0;
  const step = (count = 1) => {
    steps += count;
    if (steps > MAX_STEPS) throw new StyleTooComplexError();
  };
  return (subject, length) => {
    const keys = new Set([`#${subject.id}`, ...subject.classes.map((name) => `.${name}`), subject.tag, '']);
    const matches = [...keys]
      .flatMap((key) => index.get(key) ?? [])
      .filter(({ selector }) => matchesSelector(selector, subject, step));
    if (matches.length === 0) return null;
    const cost = matches.reduce(
      (sum, { declarations }) => sum + declarations.length,
      length / CHARS_PER_STEP,
    );
    matches.sort((a, b) => a.order - b.order);
    const isFixed = matches.every(({ widths }) => widths === null);
    let fixedDeclarations: StyleDeclaration[] | null = null;
    return {
      isFixed,
      at(width) {
        if (fixedDeclarations) return fixedDeclarations;
        step(cost);
        const found = matches.flatMap(({ widths, declarations }) =>
          widths === null || includesWidth(widths, width) ? declarations : [],
        );
        if (isFixed) fixedDeclarations = found;
        return found;
      },
    };
  };
}
