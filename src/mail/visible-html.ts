import { readHtml, type Tokens } from './html-tokens.ts';
import { isSeen } from './html-visibility.ts';
import type { StyleSheet } from './style/style-sheet.ts';
import { isReplaced, VisibleElements } from './visible-elements.ts';

/**
 * Reads HTML as `readHtml` does, without the text, images and rules that no person sees. Tags of elements whose content
 * is gone do not come either; those of others do, because what they hold may be seen.
 * @returns whether text was left out
 */
export function readVisibleHtml(html: string, sheet: StyleSheet, tokens: Tokens): { leftOut: boolean } {
  const elements = new VisibleElements(sheet);
  readHtml(html, {
    opened(name, attributes) {
      const { within } = elements.opened(name, attributes);
      if (isReplaced(name) ? isSeen(within) : !within.isGone) tokens.opened(name, attributes);
    },
    closed(name) {
      if (!elements.closed(name).isGone) tokens.closed(name);
    },
    text(text) {
      if (elements.text(text)) tokens.text(text);
    },
  });
  return { leftOut: elements.hasHiddenText };
}
