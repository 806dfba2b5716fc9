import { hidesAllContent } from '../html-visibility.ts';
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
  matchesSelector,
  parseSelector,
  type SelectorSubject,
  type StyleSelector,
} from './selector.ts';

/** Characters of the style sheets of a message that are read. */
const MAX_SHEET_CHARS = 256 * 1024;
/** Rules that are kept of them, a selector each. */
const MAX_RULES = 3_000;
/** Different conditions on the width of the page. */
const MAX_WIDTHS = 12;
/** Comparisons of selectors with elements, and declarations that are applied to them. */
const MAX_STEPS = 500_000;
/** Characters of a style attribute that take as long as a declaration of the style sheet. */
const CHARS_PER_STEP = 4;

/** The style sheet of a message asks for more comparisons than a reader waits for. */
export class StyleTooComplexError extends Error {}

interface StyleRule {
  selector: StyleSelector;
  specificity: number;
  /** Its place in the cascade. */
  order: number;
  /** Null for a rule outside of `@media`. */
  widths: WidthRange[] | null;
  /** As it is shown. */
  style: string;
  declarations: readonly StyleDeclaration[];
}

/**
 * The rules of a message's style sheets that are shown. They are the ones that can be decided by the elements of the
 * message and the width of the page, so what a browser applies is known here as well.
 */
export interface MailStyleSheet {
  rules: readonly StyleRule[];
  /** A page width for each way in which its `@media` rules can hold. */
  samples: readonly WidthSample[];
  /** Classes and ids that its selectors name. */
  names: { classes: ReadonlySet<string>; ids: ReadonlySet<string> };
  /** Set where the limits left out a part of it. */
  isCut: boolean;
  index: ReadonlyMap<string, readonly StyleRule[]>;
}

/** @param texts the style sheets of the message, in order */
export function parseStyleSheet(texts: readonly string[]): MailStyleSheet {
  let isCut = false;
  let room = MAX_SHEET_CHARS;
  const rules: StyleRule[] = [];
  const widths = new Map<string, WidthRange>();
  for (const text of texts) {
    room -= text.length;
    const raw = room < 0 ? [] : parseStyleRules(text);
    isCut ||= room < 0;
    for (const rule of raw.flatMap(buildRules)) {
      for (const each of rule.widths ?? []) widths.set(`${each.min} ${each.max}`, each);
      if (rules.length < MAX_RULES && widths.size <= MAX_WIDTHS) rules.push(rule);
      else isCut = true;
    }
    if (widths.size > MAX_WIDTHS) break;
  }
  rules.sort((a, b) => a.specificity - b.specificity);
  for (const [place, rule] of rules.entries()) rule.order = place;
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
  const style = buildDisplayStyle(declarations);
  if (style === '') return [];
  return selectors.split(',', MAX_RULES).flatMap((text) => {
    const selector = parseSelector(text);
    if (!selector) return [];
    return {
      ...{ selector, specificity: computeSpecificity(selector), order: 0 },
      ...{ widths, style, declarations: parseDeclarations(style) },
    };
  });
}

/** Elements that are hidden in a way that is not shown are hidden all the same. */
function buildDisplayStyle(given: string): string {
  const { style } = toSafeStyle(given, (address) => address);
  if (!hidesAllContent(given) || hidesAllContent(style)) return style;
  return `${style}${style && ';'}display:none${/!\s*important/i.test(given) ? ' !important' : ''}`;
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

/** The style sheet as CSS. @param remote where an image is to be had; null for one that is not shown */
export function formatStyleSheet(
  { rules }: MailStyleSheet,
  scope: string,
  remote: (address: string) => string | null,
): SafeStyleSheet {
  let isRemote = false;
  const lines = rules.flatMap(({ selector, widths, style }) => {
    const safe = toSafeStyle(style, remote);
    isRemote ||= safe.isRemote;
    if (safe.style === '') return [];
    const rule = `${formatSelector(selector, scope)}{${safe.style}}`;
    return widths ? `@media ${formatMediaQuery(widths)}{${rule}}` : rule;
  });
  return { text: lines.join('\n'), isRemote };
}

/** CSS that can be shown, and whether it loads something from elsewhere. */
export interface SafeStyleSheet {
  text: string;
  isRemote: boolean;
}

/** What the style sheet says of an element. */
export interface MatchedStyle {
  /** Whether it is the same at all widths. */
  isFixed: boolean;
  at(width: number): StyleDeclaration[];
}

/** @param length characters of the style attribute of the element */
export type StyleMatcher = (subject: SelectorSubject, length: number) => MatchedStyle | null;

/** The rules of a style sheet for the elements of one message. @throws StyleTooComplex */
export function createStyleMatcher({ rules, index }: MailStyleSheet): StyleMatcher {
  if (rules.length === 0) return () => null;
  let steps = 0;
  const step = (count = 1) => {
    steps += count;
    if (steps > MAX_STEPS) throw new StyleTooComplexError();
  };
  return (subject, length) => {
    const keys = new Set([`#${subject.id}`, ...subject.classes.map((name) => `.${name}`), subject.tag, '']);
    const found = [...keys]
      .flatMap((key) => index.get(key) ?? [])
      .filter(({ selector }) => matchesSelector(selector, subject, step));
    if (found.length === 0) return null;
    const cost = found.reduce((sum, { declarations }) => sum + declarations.length, length / CHARS_PER_STEP);
    found.sort((a, b) => a.order - b.order);
    return {
      isFixed: found.every(({ widths }) => widths === null),
      at(width) {
        step(cost);
        return found.flatMap(({ widths, declarations }) =>
          widths === null || includesWidth(widths, width) ? declarations : [],
        );
      },
    };
  };
}
