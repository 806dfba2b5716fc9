import { foldText } from './fold.ts';
import type { Notes } from './notes.ts';
import { type AgeUnit, folderRoles, messageStates, type SearchNode } from './tree.ts';
import { isUnspaced, type WordField, wordsOfQuery } from './words.ts';

/** Names the owner of the mailbox has given; a search for any other is noted, if they are known. */
export interface OwnNames {
  folders?: readonly string[];
  labels?: readonly string[];
}

/** A value behind an operator. */
export interface OperatorValue {
  operator: string;
  text: string;
  isQuoted: boolean;
}

/** What an operator makes of its value: null is nothing, and has been noted. */
type Reader = (value: OperatorValue, notes: Notes, own: OwnNames) => SearchNode | null;

/** Letters that a prefix needs; of a script without spaces one is enough. */
const shortestPrefix = 3;

/** A word, a prefix or a phrase, anywhere or in a field. Null if there is neither letter nor digit in it. */
export function readWords(value: OperatorValue, notes: Notes, field?: WordField): SearchNode | null {
  if (value.isQuoted) {
    if (wordsOfQuery(value.text).length === 0) return null;
    return { kind: 'phrase', ...(field && { field }), text: value.text };
  }
  const text = withoutStars(value.text);
  const last = wordsOfQuery(text).at(-1);
  if (!last && hasLetters(text)) notes.add('A word of more than 64 characters was left out.');
  if (!last) return null;
  const isPrefix = text.length < value.text.length;
  const prefix = isPrefix && (last.word.length >= shortestPrefix || isUnspaced(last.word));
  if (isPrefix && !prefix)
    notes.add(
      `"${last.word}*" needs ${shortestPrefix} letters before the asterisk; it was searched for as a word.`,
    );
  return { kind: 'words', ...(field && { field }), text, prefix };
}

/** Whether there is anything in a text to search for. */
export const hasLetters = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

function withoutStars(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '*') end -= 1;
  return text.slice(0, end);
}

const inField =
  (field: WordField): Reader =>
  (value, notes) => {
    const node = readWords(value, notes, field);
    if (!node) notes.add(`"${value.operator}:" needs a value.`);
    return node;
  };

const unknownValue = (value: OperatorValue, known: readonly string[]): string =>
  `"${value.operator}:${clipped(value.text)}" is not known; use ${listed(value.operator, known)}.`;

const listed = (operator: string, known: readonly string[]): string => {
  const names = known.map((name) => `${operator}:${name}`);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
};

/** Values in notes stay short. */
const clipped = (text: string): string => (text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text);

const readState: Reader = (value, notes) => {
  const state = messageStates.find((each) => each === value.text.toLowerCase());
  if (state) return { kind: 'is', state };
  notes.add(unknownValue(value, messageStates));
  return null;
};

const readHas: Reader = (value, notes) => {
  if (/^attachments?$/i.test(value.text)) return { kind: 'attachment' };
  notes.add(unknownValue(value, ['attachment']));
  return null;
};

const readFolder: Reader = (value, notes, own) => {
  const name = value.text.toLowerCase();
  const role = ([...folderRoles, 'anywhere'] as const).find((each) => each === name);
  if (role) return { kind: 'in', role };
  if (isKnown(own.folders, value.text)) return { kind: 'folder', name: value.text };
  notes.add(`${unknownValue(value, [...folderRoles, 'anywhere']).slice(0, -1)}, or the name of a folder.`);
  return null;
};

const readLabel: Reader = (value, notes, own) => {
  if (!isKnown(own.labels, value.text)) notes.add(`There is no label "${clipped(value.text)}".`);
  return { kind: 'label', name: value.text };
};

const isKnown = (names: readonly string[] | undefined, name: string): boolean =>
  !names || names.some((each) => sameName(each, name));

const readDay =
  (side: 'from' | 'until'): Reader =>
  (value, notes) => {
    const day = dayOf(value.text);
    if (day) return { kind: 'day', side, day };
    notes.add(`"${value.operator}:${clipped(value.text)}" is not a date; use YYYY/MM/DD.`);
    return null;
  };

/** `2026/1/2` or `2026-01-02` as `2026-01-02`; null for a day no calendar has. */
function dayOf(text: string): string | null {
  const match = /^(\d{4})([/-])(\d{1,2})\2(\d{1,2})$/.exec(text);
  if (!match) return null;
  const day = `${match[1]}-${match[3]!.padStart(2, '0')}-${match[4]!.padStart(2, '0')}`;
  const time = new Date(`${day}T00:00:00Z`);
  return match[1] !== '0000' && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day)
    ? day
    : null;
}

const UNITS: Record<string, AgeUnit> = { d: 'day', m: 'month', y: 'year' };

const readAge =
  (side: 'newer' | 'older'): Reader =>
  (value, notes) => {
    const match = /^(\d{1,4})([dmy])$/i.exec(value.text);
    if (match) return { kind: 'age', side, count: Number(match[1]), unit: UNITS[match[2]!.toLowerCase()]! };
    notes.add(`"${value.operator}:${clipped(value.text)}" is not an age; use 3d, 2m or 1y.`);
    return null;
  };

const FACTORS: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

const readSize =
  (side: 'larger' | 'smaller'): Reader =>
  (value, notes) => {
    const match = /^(\d{1,12})([kmg]?)b?$/i.exec(value.text);
    if (match) return { kind: 'size', side, bytes: Number(match[1]) * FACTORS[match[2]!.toLowerCase()]! };
    notes.add(`"${value.operator}:${clipped(value.text)}" is not a size; use 10K or 5M.`);
    return null;
  };

const readMessageId: Reader = ({ text }) => ({
  kind: 'exact',
  of: 'messageId',
  value: text.replace(/^<|>$/g, ''),
});
const readDeliveredTo: Reader = ({ text }) => ({
  kind: 'exact',
  of: 'deliveredTo',
  value: text.toLowerCase(),
});
const readThread: Reader = ({ text }) => ({ kind: 'exact', of: 'thread', value: text });

const OPERATORS = new Map<string, Reader>([
  ['from', inField('from')],
  ['to', inField('to')],
  ['cc', inField('cc')],
  ['bcc', inField('bcc')],
  ['subject', inField('subject')],
  ['list', inField('list')],
  ['filename', inField('attachment')],
  ['label', readLabel],
  ['in', readFolder],
  ['is', readState],
  ['has', readHas],
  ['after', readDay('from')],
  ['newer', readDay('from')],
  ['before', readDay('until')],
  ['older', readDay('until')],
  ['newer_than', readAge('newer')],
  ['older_than', readAge('older')],
  ['size', readSize('larger')],
  ['larger', readSize('larger')],
  ['smaller', readSize('smaller')],
  ['rfc822msgid', readMessageId],
  ['deliveredto', readDeliveredTo],
  ['thread', readThread],
]);

export const isOperator = (name: string): boolean => OPERATORS.has(name);

/** The node of a known operator with its value. */
export function readOperator(value: OperatorValue, notes: Notes, own: OwnNames): SearchNode | null {
  if (value.text.trim() !== '') return OPERATORS.get(value.operator)!(value, notes, own);
  notes.add(`"${value.operator}:" needs a value.`);
  return null;
}

/** Whether two names of folders or labels are the same to those who type them. */
export const sameName = (one: string, other: string): boolean =>
  foldText(one.trim()) === foldText(other.trim());
