import { MAX_SEARCHED_TEXT } from '../text-limits.ts';
import { foldText } from './fold.ts';

/** The searchable strings of a message. Addresses are formatted as displayed, such as `Ann <ann@example.com>`. */
export interface WordSources {
  subject: string;
  from: string;
  to: readonly string[];
  cc?: readonly string[];
  /** Set only in the sender's copy. */
  bcc?: readonly string[];
  attachments: readonly string[];
  listId?: string;
  text: string;
}

/** Fields that can be searched separately. `to` includes Cc. */
export type WordField = 'subject' | 'from' | 'to' | 'cc' | 'bcc' | 'attachment' | 'list';

const FIELD_PREFIXES: Record<WordField, string> = {
  subject: 's:',
  from: 'f:',
  to: 't:',
  cc: 'c:',
  bcc: 'b:',
  attachment: 'n:',
  list: 'l:',
};

/** Maximum UTF-16 units of a word. Longer words are keys or encoded data. */
const MAX_WORD_LENGTH = 64;

/** Maximum characters read from a header field. Keeps a message's words below the 1 MB limit of a tsvector. */
const MAX_FIELD_CHARS = 5_000;

/** With `prefix`, matches every word that starts with `word`. */
export interface QueryWord {
  word: string;
  prefix: boolean;
}

/** Matches a run of letters and digits that may be an address. Reads each character once. */
const WORD_RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}._%+-]*(?:@[\p{L}\p{N}][\p{L}\p{N}\p{M}.-]*)?/gu;
const WORD_PATTERN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const ASCII_WORD = /[a-z0-9]+/g;

/** Scripts without spaces between words. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');
const SCRIPT_STRETCH = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');

/**
 * Extracts the unique words of a message for the index. A word in a header field is added twice: as it is, and with the
 * field's prefix, such as `s:budget`.
 */
export function extractMessageWords(message: WordSources): string[] {
  const words = new Set<string>();
  addWords(words, message.text, MAX_SEARCHED_TEXT);
  const fields: [WordField, string][] = [
    ['subject', message.subject],
    ['from', message.from],
    ['to', joinTexts([...message.to, ...(message.cc ?? [])])],
    ['cc', joinTexts(message.cc ?? [])],
    ['bcc', joinTexts(message.bcc ?? [])],
    ['attachment', joinTexts(message.attachments)],
  ];
  for (const [field, text] of fields) addField(words, FIELD_PREFIXES[field], text, true);
  addField(words, FIELD_PREFIXES.list, toListName(message.listId ?? ''), false);
  return [...words];
}

/**
 * Returns the words that a message must contain to match a text. A single letter of a script without spaces becomes a
 * prefix. Addresses are not split.
 * @param field field to search; any field if omitted
 * @param prefix allows the last word to be incomplete
 */
export function extractQueryWords(text: string, field?: WordField, prefix = false): QueryWord[] {
  const words = new Map<string, boolean>();
  const source = field === 'list' ? toListName(text) : text;
  const foldedText = foldText(source).slice(0, MAX_SEARCHED_TEXT);
  for (const run of foldedText.match(WORD_RUN) ?? []) {
    const address = getAddressWord(run);
    if (address) words.set(address, false);
    else forEachWord(run, (word, isTail, isAlone) => (isTail && !isAlone ? words : words.set(word, isAlone)));
  }
  const last = [...words.keys()].at(-1);
  const lead = field ? FIELD_PREFIXES[field] : '';
  return [...words].map(([word, open]) => ({ word: lead + word, prefix: open || (prefix && word === last) }));
}

/**
 * Returns true if a text contains the normalized words of a phrase in sequence. In scripts without spaces, the last
 * word may be incomplete.
 */
export function containsPhrase(text: string, phrase: string): boolean {
  const phraseWords = buildWordSequence(phrase);
  if (phraseWords.line === '') return false;
  const end = phraseWords.isOpen ? '' : ' ';
  return `${buildWordSequence(text).line} `.includes(phraseWords.line + end);
}

/**
 * Joins the words in order, each preceded by a space. `isOpen` is true if the last word is a letter that the next
 * letter could extend to a pair.
 */
function buildWordSequence(text: string): { line: string; isOpen: boolean } {
  let line = '';
  let isOpen = false;
  forEachWord(foldText(text.slice(0, MAX_SEARCHED_TEXT)).slice(0, MAX_SEARCHED_TEXT), (word, isTail) => {
    line += ` ${word}`;
    isOpen = isTail;
  });
  return { line, isOpen };
}

export const isUnspaced = (word: string): boolean => HAS_UNSPACED.test(word);

const joinTexts = (list: readonly string[]): string => {
  let text = '';
  for (const item of list) {
    if (text.length > MAX_FIELD_CHARS) break;
    text += `${item}\n`;
  }
  return text;
};

/** Converts an address to a List-Id: `dev@lists.example.com` to `dev.lists.example.com`. */
const toListName = (text: string): string => text.replaceAll('@', '.');

function addField(words: Set<string>, prefix: string, text: string, isBareToo: boolean): void {
  if (!text) return;
  const fieldWords = new Set<string>();
  addWords(fieldWords, text, MAX_FIELD_CHARS);
  for (const word of fieldWords) {
    if (isBareToo) words.add(word);
    words.add(prefix + word);
  }
}

function addWords(words: Set<string>, text: string, limit: number): void {
  const foldedText = foldText(text.slice(0, limit)).slice(0, limit);
  forEachWord(foldedText, (word) => words.add(word));
  addSpellings(words, text.slice(0, limit));
  if (!foldedText.includes('@')) return;
  for (const run of foldedText.match(WORD_RUN) ?? []) {
    const address = getAddressWord(run);
    if (address) words.add(address);
  }
}

const UMLAUT_DIGRAPHS: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' };
const GROUPED_DIGITS = /(?<!\d)\d{1,3}(?:[.,'’\u00a0\u202f]\d{3})+(?!\d)/g;

/** Adds `koeln` for Köln, and 1234 for 1,234. */
function addSpellings(words: Set<string>, text: string): void {
  for (const number of text.match(GROUPED_DIGITS) ?? []) {
    const digits = number.replace(/\D/g, '');
    if (digits.length <= MAX_WORD_LENGTH) words.add(digits);
  }
  const composedText = text.normalize('NFC').toLowerCase();
  if (!/[äöü]/.test(composedText)) return;
  for (const word of composedText.match(WORD_PATTERN) ?? []) {
    if (!/[äöü]/.test(word)) continue;
    const spelled = foldText(word.replace(/[äöü]/g, (letter) => UMLAUT_DIGRAPHS[letter]!));
    if (spelled.length <= MAX_WORD_LENGTH) words.add(spelled);
  }
}

function getAddressWord(run: string): string | null {
  if (!run.includes('@')) return null;
  const address = run.replace(/(?<![.-])[.-]+$/, '');
  return address.length <= MAX_WORD_LENGTH ? address : null;
}

/**
 * @param isTail true for the last letter of an unspaced run, which is indexed for searches of single letters
 * @param isAlone true if the run consists of that letter
 */
type WordVisitor = (word: string, isTail: boolean, isAlone: boolean) => unknown;

/** Visits words in order. An unspaced run is visited as pairs of letters, followed by its last letter. */
function forEachWord(folded: string, visit: WordVisitor): void {
  const isAscii = /^[\x00-\x7f]*$/.test(folded);
  const hasStretches = !isAscii && HAS_UNSPACED.test(folded);
  for (const run of folded.match(isAscii ? ASCII_WORD : WORD_PATTERN) ?? []) {
    if (hasStretches && HAS_UNSPACED.test(run))
      for (const part of run.match(SCRIPT_STRETCH) ?? []) forEachPair(part, visit);
    else if (run.length <= MAX_WORD_LENGTH) visit(run, false, false);
  }
}

function forEachPair(stretch: string, visit: WordVisitor): void {
  if (!HAS_UNSPACED.test(stretch)) {
    if (stretch.length <= MAX_WORD_LENGTH) visit(stretch, false, false);
    return;
  }
  let before = '';
  let isAlone = true;
  for (const letter of stretch) {
    if (before) {
      visit(before + letter, false, false);
      isAlone = false;
    }
    before = letter;
  }
  visit(before, true, isAlone);
}
