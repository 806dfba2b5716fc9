import { searchWords } from './words.ts';

/** Sentences of the server about a search, and what they are in the language of the page. */
const PATTERNS: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [/^"(\S+)\*" needs (\d+) letters before the asterisk/, searchWords.notes.prefix],
  [/^"([^"]+):" needs a value\.$/, searchWords.notes.needsValue],
  [/^"(.+)" is not a date; use YYYY\/MM\/DD\.$/, searchWords.notes.notDate],
  [/^"(.+)" is not an age; use 3d, 2m or 1y\.$/, searchWords.notes.notAge],
  [/^"(.+)" is not a size; use 10K or 5M\.$/, searchWords.notes.notSize],
  [/^"(in:.+)" is not known; use .+ or the name of a folder\.$/, searchWords.notes.notFolder],
  [/^"(.+)" is not known; use (.+)\.$/, searchWords.notes.notKnown],
  [/^There is no label "(.+)"\.$/, searchWords.notes.noLabel],
  [/^"([^"]+):" is not an operator;/, searchWords.notes.notOperator],
  [/^A bracket was never opened\.$/, searchWords.notes.bracketNotOpened],
  [/^A bracket is not closed\.$/, searchWords.notes.bracketNotClosed],
  [/^A quotation mark is not closed;/, searchWords.notes.quoteNotClosed],
  [/^Only the first ([\d,]+) terms were read\.$/, searchWords.notes.tooManyTerms],
  [/^Only the first ([\d,]+) characters were read\.$/, searchWords.notes.tooLong],
  [/^A word of more than 64 characters was left out\.$/, searchWords.notes.wordTooLong],
];

/** What the server says about a search; as it says it where it is new here. Pure. */
export function translateNote(note: string): string {
  for (const [pattern, words] of PATTERNS) {
    const [found, ...parts] = pattern.exec(note) ?? [];
    if (found !== undefined) return words(...parts);
  }
  return note;
}
