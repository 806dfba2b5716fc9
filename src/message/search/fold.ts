/** Replacements for letters that Unicode does not decompose, as typed on keyboards without these letters. */
const FOLDED_LETTERS: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ı: 'i',
  ς: 'σ',
};

const FOLDED_LETTER = new RegExp(`[${Object.keys(FOLDED_LETTERS).join('')}]`, 'g');

/**
 * Accents, Hebrew and Arabic points, joiners, soft hyphens and variation selectors. Vowel signs of other scripts, such
 * as Hindi and Thai, count as letters and are kept.
 */
const COMBINING_MARKS = new RegExp(
  '[\\u00ad\\u0300-\\u036f\\u0591-\\u05bd\\u05bf\\u05c1\\u05c2\\u05c4\\u05c5\\u05c7\\u0610-\\u061a\\u0640' +
    '\\u064b-\\u065f\\u0670\\u06d6-\\u06dc\\u06df-\\u06e4\\u06e7\\u06e8\\u06ea-\\u06ed\\u1ab0-\\u1aff' +
    '\\u1dc0-\\u1dff\\u200c\\u200d\\u20d0-\\u20ff\\ufe00-\\ufe0f\\ufe20-\\ufe2f]+',
  'g',
);

/**
 * Normalizes text for search: resolves compatibility forms, lower-cases, and removes accents. The length may change.
 */
export function foldText(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  const bareText = text.normalize('NFKD').toLowerCase().replace(COMBINING_MARKS, '');
  return bareText.replace(FOLDED_LETTER, (letter) => FOLDED_LETTERS[letter]!).normalize('NFC');
}
