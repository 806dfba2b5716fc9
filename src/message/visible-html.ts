import { type HtmlHandler, tokenizeHtml } from './html-tokens.ts';
import { isTextVisible } from './html-visibility.ts';
import type { MailStyleSheet } from './style/style-sheet.ts';
import { isReplacedElement, VisibleElements } from './visible-elements.ts';

/**
 * Reads HTML like `tokenizeHtml`, but omits invisible text, images and horizontal rules, and the tags of elements that
 * become empty. Keeps the tags of other hidden elements, because their content may be visible.
 * @returns `leftOut`, true if text was omitted
 */
export function readVisibleHtml(
  html: string,
  sheet: MailStyleSheet,
  tokens: HtmlHandler,
): { leftOut: boolean } {
  const elements = new VisibleElements(sheet);
  tokenizeHtml(html, {
    onOpen(name, attributes) {
      const { within } = elements.openElement(name, attributes);
      if (isReplacedElement(name) ? isTextVisible(within) : !within.isGone) tokens.onOpen(name, attributes);
    },
    onClose(name) {
      if (!elements.closeElement(name).isGone) tokens.onClose(name);
    },
    onText(text) {
      if (elements.text(text)) tokens.onText(text);
    },
  });
  return { leftOut: elements.hasHiddenText };
}
