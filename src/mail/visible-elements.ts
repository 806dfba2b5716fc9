import type { Attributes } from './html-tokens.ts';
import { readHtml } from './html-tokens.ts';
import { isSeen, VISIBLE_PAGE, type Visibility, visibilityWithin } from './html-visibility.ts';
import { type Judgement, OpenElements } from './open-elements.ts';
import { isShownTag } from './shown-tags.ts';
import { type Subject, selectorSubject } from './style/selector.ts';
import {
  type StyleMatcher,
  type StyleSheet,
  StyleTooComplex,
  styleMatcher,
  styleSheet,
} from './style/style-sheet.ts';

const NO_SHEET = styleSheet([]);

/** Reads HTML with its style sheet, or without it where that asks for too much. `read` may run twice. */
export function withStyleSheet<Result>(html: string, read: (sheet: StyleSheet) => Result): Result {
  const sheet = sheetOf(html);
  try {
    return read(sheet);
  } catch (error) {
    if (!(error instanceof StyleTooComplex)) throw error;
    return read({ ...NO_SHEET, isCut: true });
  }
}

function sheetOf(html: string): StyleSheet {
  if (!/<style/i.test(html)) return NO_SHEET;
  const texts: string[] = [];
  const ignore = () => {};
  readHtml(html, { opened: ignore, closed: ignore, text: ignore, sheet: (text) => texts.push(text) });
  return styleSheet(texts);
}

/** An element that has been opened. */
export interface VisibleElement {
  within: Visibility;
  /** Whether it hides its content itself, however wide the page is. */
  hides: boolean;
}

/** The open elements of an HTML body, and what a person sees of them. */
export class VisibleElements {
  /** Whether there was text that no person sees. */
  hasHiddenText = false;
  private readonly open: OpenElements;
  private readonly styleOf: StyleMatcher;
  private readonly sheet: StyleSheet;

  constructor(sheet: StyleSheet) {
    this.sheet = sheet;
    this.styleOf = styleMatcher(sheet);
    const body = selectorSubject('body', new Map(), null);
    this.open = new OpenElements({
      subject: body,
      within: this.judge('body', new Map(), VISIBLE_PAGE, body).within,
    });
  }

  opened(name: string, attributes: Attributes): VisibleElement {
    let hides = false;
    const within = this.open.open(name, (outer, parent): Judgement => {
      const subject = isShownTag(name) ? selectorSubject(name, attributes, parent) : null;
      const own = this.judge(name, attributes, outer, subject);
      hides = own.hides;
      return { subject: subject ?? parent, within: own.within };
    });
    const isShown = isReplaced(name) ? isSeen(within) : !within.isGone;
    if (!isShown && hasWords(attributes.get('alt') ?? '')) this.hasHiddenText = true;
    return { within, hides };
  }

  /** @returns the visibility within the element that ends */
  closed(name: string): Visibility {
    return this.open.close(name);
  }

  /** @returns whether the text is seen */
  text(text: string): boolean {
    const seen = isSeen(this.open.visibilityOfText(text));
    if (!seen && hasWords(text)) this.hasHiddenText = true;
    return seen;
  }

  /** What is hidden at some width of a page on a desk counts as hidden. */
  private judge(
    name: string,
    attributes: Attributes,
    outer: Visibility,
    subject: Subject | null,
  ): VisibleElement {
    const style = subject && this.styleOf(subject, attributes.get('style')?.length ?? 0);
    const at = (width: number) => visibilityWithin(name, attributes, outer, style?.at(width));
    if (!style || style.isFixed) {
      const within = at(0);
      return { within, hides: within.isGone && !outer.isGone };
    }
    const all = this.sheet.samples.map(({ width, isOfDesk }) => ({ isOfDesk, within: at(width) }));
    const ofDesk = all.filter(({ isOfDesk }) => isOfDesk).map(({ within }) => within);
    return {
      within: ofDesk.find((within) => !isSeen(within)) ?? ofDesk[0]!,
      hides: !outer.isGone && all.every(({ within }) => within.isGone),
    };
  }
}

/** Elements that show something themselves. */
export const isReplaced = (name: string): boolean => name === 'img' || name === 'hr';

const hasWords = (text: string): boolean => /(?!\u034f)[^\s\u00ad\u200b-\u200f\u2060\ufeff]/.test(text);
