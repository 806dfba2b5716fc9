import { isAllowedTag } from './allowed-tags.ts';
import type { HtmlAttributes } from './html-tokens.ts';
import { tokenizeHtml } from './html-tokens.ts';
import { computeVisibility, isTextVisible, VISIBLE_PAGE, type Visibility } from './html-visibility.ts';
import { type ElementState, OpenElements } from './open-elements.ts';
import { buildSubject, type SelectorSubject } from './style/selector.ts';
import {
  createStyleMatcher,
  type MailStyleSheet,
  type MatchedStyle,
  parseStyleSheet,
  type StyleMatcher,
  StyleTooComplexError,
} from './style/style-sheet.ts';

const EMPTY_SHEET = parseStyleSheet([]);

/** Reads HTML with its style sheet, or without the style sheet if it is too complex. `readElements` may run twice. */
export function readWithStyleSheet<Result>(
  html: string,
  readElements: (sheet: MailStyleSheet) => Result,
): Result {
  const sheet = extractStyleSheet(html);
  try {
    return readElements(sheet);
  } catch (error) {
    if (!(error instanceof StyleTooComplexError)) throw error;
    return readElements({ ...EMPTY_SHEET, isCut: true });
  }
}

function extractStyleSheet(html: string): MailStyleSheet {
  if (!/<style/i.test(html)) return EMPTY_SHEET;
  const texts: string[] = [];
  const ignore = () => {};
  tokenizeHtml(html, {
    onOpen: ignore,
    onClose: ignore,
    onText: ignore,
    onStyleSheet: (text, media) => texts.push(media === '' ? text : `@media ${media}{${text}`),
  });
  return parseStyleSheet(texts);
}

interface VisibleElement {
  within: Visibility;
  /** True if the element itself hides its content at all page widths. */
  hides: boolean;
  /** False if browsers ignore the tag. */
  isOpened: boolean;
  style: MatchedStyle | null;
}

export class VisibleElements {
  hasHiddenText = false;
  /** Rules that match the body. */
  readonly pageStyle: MatchedStyle | null;
  private readonly open: OpenElements;
  private readonly styleOf: StyleMatcher;
  private readonly sheet: MailStyleSheet;

  constructor(sheet: MailStyleSheet) {
    this.sheet = sheet;
    this.styleOf = createStyleMatcher(sheet);
    const body = buildSubject('body', new Map(), null);
    const { within, style } = this.judge('body', new Map(), VISIBLE_PAGE, body);
    this.open = new OpenElements({ subject: body, within });
    this.pageStyle = style;
  }

  openElement(name: string, attributes: HtmlAttributes): VisibleElement {
    let hides = false;
    let isOpened = false;
    let style: MatchedStyle | null = null;
    const within = this.open.open(name, (outer, parent): ElementState => {
      const subject =
        this.sheet.rules.length > 0 && isAllowedTag(name) ? buildSubject(name, attributes, parent) : null;
      const ownElement = this.judge(name, attributes, outer, subject);
      ({ hides, style } = ownElement);
      isOpened = true;
      return { subject: subject ?? parent, within: ownElement.within };
    });
    const isShown = isReplacedElement(name) ? isTextVisible(within) : !within.isGone;
    if (!isShown && hasVisibleText(attributes.get('alt') ?? '')) this.hasHiddenText = true;
    return { within, hides, isOpened, style };
  }

  closeElement(name: string): Visibility {
    return this.open.close(name);
  }

  text(text: string): boolean {
    const isVisible = isTextVisible(this.open.getTextVisibility(text));
    if (!isVisible && hasVisibleText(text)) this.hasHiddenText = true;
    return isVisible;
  }

  /** Treats content that is hidden at any desktop width as hidden. */
  private judge(
    name: string,
    attributes: HtmlAttributes,
    outer: Visibility,
    subject: SelectorSubject | null,
  ): Omit<VisibleElement, 'isOpened'> {
    const style = subject ? this.styleOf(subject, attributes.get('style')?.length ?? 0) : null;
    const at = (width: number) => computeVisibility(name, attributes, outer, style?.at(width));
    if (!style || style.isFixed) {
      const within = at(0);
      return { within, hides: within.isGone && !outer.isGone, style };
    }
    const all = this.sheet.samples.map(({ width, isDesktop }) => ({ isDesktop, within: at(width) }));
    const ofDesk = all.filter(({ isDesktop }) => isDesktop).map(({ within }) => within);
    return {
      within: ofDesk.find((within) => !isTextVisible(within)) ?? ofDesk[0]!,
      hides: !outer.isGone && all.every(({ within }) => within.isGone),
      style,
    };
  }
}

/** Returns true for elements that are visible without text. */
export const isReplacedElement = (name: string): boolean => name === 'img' || name === 'hr';

const hasVisibleText = (text: string): boolean => /(?!\u034f)[^\s\u00ad\u200b-\u200f\u2060\ufeff]/.test(text);
