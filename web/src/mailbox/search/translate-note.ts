import { searchStrings } from './strings.ts';

/** Server notes about a search, with their translations. */
const PATTERNS: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [/^"(\S+)\*" needs (\d+) letters before the asterisk/, searchStrings.notes.prefix],
  [/^"([^"]+):" needs a value\.$/, searchStrings.notes.needsValue],
  [/^"(.+)" is not a date; use YYYY\/MM\/DD\.$/, searchStrings.notes.notDate],
  [/^"(.+)" is not an age; use 3d, 2m or 1y\.$/, searchStrings.notes.notAge],
  [/^"(.+)" is not a size; use 10K or 5M\.$/, searchStrings.notes.notSize],
  [/^"(in:.+)" is not known; use .+ or the name of a folder\.$/, searchStrings.notes.notFolder],
  [/^"(.+)" is not known; use (.+)\.$/, searchStrings.notes.notKnown],
  [/^There is no label "(.+)"\.$/, searchStrings.notes.noLabel],
  [/^"([^"]+):" is not an operator;/, searchStrings.notes.notOperator],
  [/^A bracket was never opened\.$/, searchStrings.notes.bracketNotOpened],
  [/^A bracket is not closed\.$/, searchStrings.notes.bracketNotClosed],
  [/^A quotation mark is not closed;/, searchStrings.notes.quoteNotClosed],
  [/^Only the first ([\d,]+) terms were read\.$/, searchStrings.notes.tooManyTerms],
  [/^Only the first ([\d,]+) characters were read\.$/, searchStrings.notes.tooLong],
  [/^A word of more than 64 characters was left out\.$/, searchStrings.notes.wordTooLong],
];

/** Translates a server note. Returns unknown notes unchanged. */
export function translateNote(note: string): string {
  for (const [pattern, words] of PATTERNS) {
    const [matched, ...parts] = pattern.exec(note) ?? [];
    if (matched !== undefined) return words(...parts);
  }
  return note;
}
