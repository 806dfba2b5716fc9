import { type HtmlHandler, readHtml } from './html-tokens.ts';
import { isTextVisible } from './html-visibility.ts';
import type { MailStyleSheet } from './style/style-sheet.ts';
import { isReplacedElement, VisibleElements } from './visible-elements.ts';

/**
 * Reads HTML as `readHtml` does, without the text, images and rules that no person sees. Tags of elements whose content
 * is gone do not come either; those of others do, because what they hold may be seen.
 * @returns whether text was left out
 */
export function readVisibleHtml(
  html: string,
  sheet: MailStyleSheet,
  tokens: HtmlHandler,
): { leftOut: boolean } {
  const elements = new VisibleElements(sheet);
  readHtml(html, {
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
