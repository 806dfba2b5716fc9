import { MAX_SEARCHED_TEXT } from '../text-limits.ts';
import { foldText } from './fold.ts';

/** What of a message is found by its words. Addresses are given as they are shown, `Ann <ann@example.com>`. */
export interface WordSources {
  subject: string;
  from: string;
  to: readonly string[];
  cc?: readonly string[];
  /** Of the sender's own copy alone. */
  bcc?: readonly string[];
  attachments: readonly string[];
  listId?: string;
  text: string;
}

/** The fields of which words can be searched alone; `to` holds Cc as well. */
export type WordField = 'subject' | 'from' | 'to' | 'cc' | 'bcc' | 'attachment' | 'list';

/** What stands before the words of a field in the index. */
const FIELD_PREFIXES: Record<WordField, string> = {
  subject: 's:',
  from: 'f:',
  to: 't:',
  cc: 'c:',
  bcc: 'b:',
  attachment: 'n:',
  list: 'l:',
};

/** UTF-16 units of a word; longer ones are keys and encodings, not words. */
const MAX_WORD_LENGTH = 64;

/** Characters that are read of a header field. All words of a message stay below the 1 MB of a tsvector. */
const MAX_FIELD_CHARS = 5_000;

/** A word to look for; with `prefix` all words that begin with it. */
export interface QueryWord {
  word: string;
  prefix: boolean;
}

/** A run of letters and digits, and with it what may be an address. Each character is read once. */
const WORD_RUN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}._%+-]*(?:@[\p{L}\p{N}][\p{L}\p{N}\p{M}.-]*)?/gu;
const WORD_PATTERN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const ASCII_WORD = /[a-z0-9]+/g;

/** Scripts that write no spaces between words. */
const UNSPACED = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{scx=${script}}`)
  .join('');
const HAS_UNSPACED = new RegExp(`[${UNSPACED}]`, 'u');
const SCRIPT_STRETCH = new RegExp(`[${UNSPACED}]+|[^${UNSPACED}]+`, 'gu');

/**
 * The unique words of a message for its index: those of all fields, and those of a header field once more behind the
 * field's prefix, such as `s:budget`. At most 100,000 characters of the text and 5,000 of each other field are read.
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
 * The words that a message must hold, all of them, for a text to be found in it. A single letter of a script without
 * spaces is looked for as a prefix; an address is looked for as a whole.
 * @param field where to look; without it the words are those of any field
 * @param prefix whether the last word may go on
 */
export function extractQueryWords(text: string, field?: WordField, prefix = false): QueryWord[] {
  const found = new Map<string, boolean>();
  const source = field === 'list' ? toListName(text) : text;
  const folded = foldText(source).slice(0, MAX_SEARCHED_TEXT);
  for (const run of folded.match(WORD_RUN) ?? []) {
    const address = getAddressWord(run);
    if (address) found.set(address, false);
    else forEachWord(run, (word, isTail, isAlone) => (isTail && !isAlone ? found : found.set(word, isAlone)));
  }
  const last = [...found.keys()].at(-1);
  const lead = field ? FIELD_PREFIXES[field] : '';
  return [...found].map(([word, open]) => ({ word: lead + word, prefix: open || (prefix && word === last) }));
}

/**
 * Whether a text holds the words of a phrase one after another. Both are folded; only the last word may go on, and that
 * only in a script without spaces.
 */
export function containsPhrase(text: string, phrase: string): boolean {
  const wanted = buildWordSequence(phrase);
  if (wanted.line === '') return false;
  const end = wanted.isOpen ? '' : ' ';
  return `${buildWordSequence(text).line} `.includes(wanted.line + end);
}

/** The words in their order, each behind a space; open if the last one is a letter that may begin a pair. */
function buildWordSequence(text: string): { line: string; isOpen: boolean } {
  let line = '';
  let isOpen = false;
  forEachWord(foldText(text.slice(0, MAX_SEARCHED_TEXT)).slice(0, MAX_SEARCHED_TEXT), (word, isTail) => {
    line += ` ${word}`;
    isOpen = isTail;
  });
  return { line, isOpen };
}

/** Whether a word holds letters of a script that writes no spaces. */
export const isUnspaced = (word: string): boolean => HAS_UNSPACED.test(word);

const joinTexts = (list: readonly string[]): string => {
  let text = '';
  for (const each of list) {
    if (text.length > MAX_FIELD_CHARS) break;
    text += `${each}\n`;
  }
  return text;
};

/** `dev@lists.example.com` names the list `dev.lists.example.com`. */
const toListName = (text: string): string => text.replaceAll('@', '.');

function addField(words: Set<string>, prefix: string, text: string, isBareToo: boolean): void {
  if (!text) return;
  const own = new Set<string>();
  addWords(own, text, MAX_FIELD_CHARS);
  for (const word of own) {
    if (isBareToo) words.add(word);
    words.add(prefix + word);
  }
}

function addWords(words: Set<string>, text: string, limit: number): void {
  const folded = foldText(text.slice(0, limit)).slice(0, limit);
  forEachWord(folded, (word) => words.add(word));
  if (!folded.includes('@')) return;
  for (const run of folded.match(WORD_RUN) ?? []) {
    const address = getAddressWord(run);
    if (address) words.add(address);
  }
}

/** The run as one word if it is an address that is not too long to be one. */
function getAddressWord(run: string): string | null {
  if (!run.includes('@')) return null;
  const address = run.replace(/[.-]+$/, '');
  return address.length <= MAX_WORD_LENGTH ? address : null;
}

/**
 * @param isTail the last letter of a stretch without spaces, by which single letters are found
 * @param isAlone that letter is all of the stretch
 */
type VisitWord = (word: string, isTail: boolean, isAlone: boolean) => unknown;

/** Words in their order; a stretch of a script without spaces as pairs of letters, and its last letter. */
function forEachWord(folded: string, visit: VisitWord): void {
  const isAscii = /^[\x00-\x7f]*$/.test(folded);
  const hasStretches = !isAscii && HAS_UNSPACED.test(folded);
  for (const run of folded.match(isAscii ? ASCII_WORD : WORD_PATTERN) ?? []) {
    if (hasStretches && HAS_UNSPACED.test(run))
      for (const part of run.match(SCRIPT_STRETCH) ?? []) forEachPair(part, visit);
    else if (run.length <= MAX_WORD_LENGTH) visit(run, false, false);
  }
}

function forEachPair(stretch: string, visit: VisitWord): void {
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
