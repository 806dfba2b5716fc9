const ZERO_WIDTH = '(?:\\u034f|[\\u00ad\\u180e\\u200b-\\u200d\\u2060-\\u2064\\ufeff])';

/**
 * Zero-width characters in a row, or separated only by spaces, have no legitimate use. Newsletters pad their preview
 * text with them.
 */
const ZERO_WIDTH_RUN = new RegExp(`${ZERO_WIDTH}(?:[^\\S\\n\\ufeff]*${ZERO_WIDTH})+`, 'g');

/** A character has at most one variation selector. */
const VARIATION_SELECTORS = /[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{2,}/gu;

/** Tag characters encode invisible ASCII. Some regional flags contain them. */
const TAG_CHARACTERS = /(\u{1f3f4}[\u{e0020}-\u{e007e}]{1,6}\u{e007f})|[\u{e0000}-\u{e007f}]+/gu;

export function removeInvisibleCharacters(text: string): string {
  if (!/[^\x00-\xac]/.test(text)) return text;
  return text
    .replace(TAG_CHARACTERS, (_, flag?: string) => flag ?? '')
    .replace(VARIATION_SELECTORS, (run) => String.fromCodePoint(run.codePointAt(0)!))
    .replace(ZERO_WIDTH_RUN, '');
}
