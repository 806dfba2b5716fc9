import { hasGoneContent } from '../html-visibility.ts';
import { type Declaration, declarationsIn } from './declarations.ts';
import { bothWidths, holdsAt, mediaText, type Sample, samplesOf, type Widths, widthsOf } from './media.ts';
import { type RawRule, readRules } from './read-rules.ts';
import { safeStyle } from './safe-style.ts';
import {
  matchesSelector,
  readSelector,
  type Selector,
  type Subject,
  selectorText,
  specificityOf,
} from './selector.ts';

/** Characters of the style sheets of a message that are read. */
const MOST_CHARACTERS = 256 * 1024;
/** Rules that are kept of them, a selector each. */
const MOST_RULES = 3_000;
/** Different conditions on the width of the page. */
const MOST_WIDTHS = 12;
/** Comparisons of selectors with elements, and declarations that are applied to them. */
const MOST_STEPS = 500_000;
/** Characters of a style attribute that take as long as a declaration of the style sheet. */
const CHARACTERS_OF_STEP = 4;

/** The style sheet of a message asks for more comparisons than a reader waits for. */
export class StyleTooComplex extends Error {}

interface Rule {
  selector: Selector;
  specificity: number;
  /** Its place in the cascade. */
  place: number;
  /** Null for a rule outside of `@media`. */
  widths: Widths[] | null;
  /** As it is shown. */
  style: string;
  declarations: readonly Declaration[];
}

/**
 * The rules of a message's style sheets that are shown. They are the ones that can be decided by the elements of the
 * message and the width of the page, so what a browser applies is known here as well.
 */
export interface StyleSheet {
  rules: readonly Rule[];
  /** A page width for each way in which its `@media` rules can hold. */
  samples: readonly Sample[];
  /** Classes and ids that its selectors name. */
  names: { classes: ReadonlySet<string>; ids: ReadonlySet<string> };
  /** Set where the limits left out a part of it. */
  isCut: boolean;
  index: ReadonlyMap<string, readonly Rule[]>;
}

/** @param texts the style sheets of the message, in order */
export function styleSheet(texts: readonly string[]): StyleSheet {
  let isCut = false;
  let room = MOST_CHARACTERS;
  const rules: Rule[] = [];
  const widths = new Map<string, Widths>();
  for (const text of texts) {
    room -= text.length;
    const raw = room < 0 ? [] : readRules(text);
    isCut ||= room < 0;
    for (const rule of raw.flatMap(rulesOf)) {
      for (const each of rule.widths ?? []) widths.set(`${each.min} ${each.max}`, each);
      if (rules.length < MOST_RULES && widths.size <= MOST_WIDTHS) rules.push(rule);
      else isCut = true;
    }
    if (widths.size > MOST_WIDTHS) break;
  }
  rules.sort((a, b) => a.specificity - b.specificity);
  for (const [place, rule] of rules.entries()) rule.place = place;
  return {
    rules,
    samples: samplesOf(rules.flatMap((rule) => rule.widths ?? [])),
    names: namesIn(rules),
    isCut,
    index: Map.groupBy(rules, ({ selector }) => keyOf(selector)),
  };
}

function rulesOf({ selectors, declarations, media }: RawRule): Rule[] {
  const widths = media.length === 0 ? null : media.map(widthsOf).reduce(bothWidths);
  if (widths?.length === 0) return [];
  const style = shownStyle(declarations);
  if (style === '') return [];
  return selectors.split(',', MOST_RULES).flatMap((text) => {
    const selector = readSelector(text);
    if (!selector) return [];
    return {
      ...{ selector, specificity: specificityOf(selector), place: 0 },
      ...{ widths, style, declarations: declarationsIn(style) },
    };
  });
}

/** Elements that are hidden in a way that is not shown are hidden all the same. */
function shownStyle(given: string): string {
  const { style } = safeStyle(given, (address) => address);
  if (!hasGoneContent(given) || hasGoneContent(style)) return style;
  return `${style}${style && ';'}display:none${/!\s*important/i.test(given) ? ' !important' : ''}`;
}

function namesIn(rules: readonly Rule[]): StyleSheet['names'] {
  const compounds = rules.flatMap(({ selector }) => selector);
  return {
    classes: new Set(compounds.flatMap(({ classes }) => classes)),
    ids: new Set(compounds.flatMap(({ id }) => (id === '' ? [] : [id]))),
  };
}

function keyOf(selector: Selector): string {
  const { id, classes, tag } = selector.at(-1)!;
  if (id !== '') return `#${id}`;
  return classes.length > 0 ? `.${classes[0]}` : tag;
}

/** The style sheet as CSS. @param remote where an image is to be had; null for one that is not shown */
export function styleSheetText(
  { rules }: StyleSheet,
  scope: string,
  remote: (address: string) => string | null,
): SafeText {
  let isRemote = false;
  const lines = rules.flatMap(({ selector, widths, style }) => {
    const safe = safeStyle(style, remote);
    isRemote ||= safe.isRemote;
    if (safe.style === '') return [];
    const rule = `${selectorText(selector, scope)}{${safe.style}}`;
    return widths ? `@media ${mediaText(widths)}{${rule}}` : rule;
  });
  return { text: lines.join('\n'), isRemote };
}

/** CSS that can be shown, and whether it loads something from elsewhere. */
export interface SafeText {
  text: string;
  isRemote: boolean;
}

/** What the style sheet says of an element. */
export interface SheetStyle {
  /** Whether it is the same at all widths. */
  isFixed: boolean;
  at(width: number): Declaration[];
}

/** @param length characters of the style attribute of the element */
export type StyleMatcher = (subject: Subject, length: number) => SheetStyle | null;

/** The rules of a style sheet for the elements of one message. @throws StyleTooComplex */
export function styleMatcher({ rules, index }: StyleSheet): StyleMatcher {
  if (rules.length === 0) return () => null;
  let steps = 0;
  const step = (count = 1) => {
    steps += count;
    if (steps > MOST_STEPS) throw new StyleTooComplex();
  };
  return (subject, length) => {
    const keys = new Set([`#${subject.id}`, ...subject.classes.map((name) => `.${name}`), subject.tag, '']);
    const found = [...keys]
      .flatMap((key) => index.get(key) ?? [])
      .filter(({ selector }) => matchesSelector(selector, subject, step));
    if (found.length === 0) return null;
    const cost = found.reduce(
      (sum, { declarations }) => sum + declarations.length,
      length / CHARACTERS_OF_STEP,
    );
    found.sort((a, b) => a.place - b.place);
    return {
      isFixed: found.every(({ widths }) => widths === null),
      at(width) {
        step(cost);
        return found.flatMap(({ widths, declarations }) =>
          widths === null || holdsAt(widths, width) ? declarations : [],
        );
      },
    };
  };
}
