import { searchStrings } from './strings.ts';

const PATTERNS: readonly (readonly [RegExp, (...parts: string[]) => string])[] = [
  [/^"(\S+)\*" needs (\d+) letters before the asterisk/, searchStrings.notes.prefix],
  [/^"([^"]+):" needs a value\.$/, searchStrings.notes.needsValue],
  [/^"(.+)" is not a date; use YYYY\/MM\/DD\.$/, searchStrings.notes.invalidDate],
  [/^"(.+)" is not an age; use 3d, 2m or 1y\.$/, searchStrings.notes.invalidAge],
  [/^"(.+)" is not a size; use 10K or 5M\.$/, searchStrings.notes.invalidSize],
  [/^"(in:.+)" is not known; use .+ or the name of a folder\.$/, searchStrings.notes.unknownFolder],
  [/^"(.+)" is not known; use (.+)\.$/, searchStrings.notes.unknownValue],
  [/^There is no label "(.+)"\.$/, searchStrings.notes.labelNotFound],
  [/^"([^"]+):" is not an operator;/, searchStrings.notes.unknownOperator],
  [/^A bracket was never opened\.$/, searchStrings.notes.missingOpeningBracket],
  [/^A bracket is not closed\.$/, searchStrings.notes.unclosedBracket],
  [/^A quotation mark is not closed;/, searchStrings.notes.unclosedQuote],
  [/^Only the first ([\d,]+) terms were read\.$/, searchStrings.notes.tooManyTerms],
  [/^Only the first ([\d,]+) characters were read\.$/, searchStrings.notes.tooLong],
  [/^A word of more than 64 characters was left out\.$/, searchStrings.notes.wordTooLong],
];

/** Translates a server note. Returns unknown notes unchanged. */
export function translateNote(note: string): string {
  for (const [pattern, words] of PATTERNS) {
    const [matchedText, ...parts] = pattern.exec(note) ?? [];
    if (matchedText !== undefined) return words(...parts);
  }
  return note;
}
