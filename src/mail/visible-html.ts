import { type Attributes, readHtml, type Tokens } from './html-tokens.ts';
import { isSeen, visibilityOfPage, visibilityWithin } from './html-visibility.ts';
import { OpenElements } from './open-elements.ts';

/**
 * Reads HTML as `readHtml` does, without the text, images and rules that no person sees. Tags of elements whose content
 * is gone do not come either; those of others do, because what they hold may be seen.
 * @returns whether text was left out
 */
export function readVisibleHtml(html: string, tokens: Tokens): { leftOut: boolean } {
  const open = new OpenElements(visibilityOfPage(/<(?:style|link)\b/i.test(html)));
  let leftOut = false;
  readHtml(html, {
    opened(name, attributes) {
      const within = open.open(name, (outer) => visibilityWithin(name, attributes, outer));
      const isShown = isReplaced(name) ? isSeen(within) : !within.isGone;
      if (isShown) tokens.opened(name, attributes);
      else leftOut ||= hasWords(attributes);
    },
    closed(name) {
      const within = open.close(name);
      if (!within.isGone) tokens.closed(name);
    },
    text(text) {
      if (isSeen(open.visibilityOfText(text))) tokens.text(text);
      else leftOut ||= /\S/.test(text);
    },
  });
  return { leftOut };
}

/** Elements that show something themselves. */
const isReplaced = (name: string): boolean => name === 'img' || name === 'hr';

const hasWords = (attributes: Attributes): boolean => /\S/.test(attributes.get('alt') ?? '');
