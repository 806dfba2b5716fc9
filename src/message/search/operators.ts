import { foldText } from './fold.ts';
import type { SearchNotes } from './notes.ts';
import { type AgeUnit, folderRoles, messageStates, type SearchNode } from './tree.ts';
import { extractQueryWords, isUnspaced, type WordField } from './words.ts';

/** Names of the mailbox's folders and labels, if available. Other names cause a note. */
export interface MailboxNames {
  folders?: readonly string[];
  labels?: readonly string[];
}

interface OperatorValue {
  operator: string;
  text: string;
  isQuoted: boolean;
}

/** Converts an operator's value to a node. Returns null and adds a note if the value is invalid. */
type OperatorReader = (value: OperatorValue, notes: SearchNotes, names: MailboxNames) => SearchNode | null;

/** Minimum letters before an asterisk. One is enough in scripts without spaces. */
const MIN_PREFIX_LENGTH = 3;

/** Parses a word, a prefix or a phrase. Returns null if the value contains neither letters nor digits. */
export function readWords(value: OperatorValue, notes: SearchNotes, field?: WordField): SearchNode | null {
  if (value.isQuoted) {
    if (extractQueryWords(value.text).length === 0) return null;
    return { kind: 'phrase', ...(field && { field }), text: value.text };
  }
  const text = removeStars(value.text);
  const last = extractQueryWords(text).at(-1);
  if (!last && hasLetters(text)) notes.add('A word of more than 64 characters was left out.');
  if (!last) return null;
  const isPrefix = text.length < value.text.length;
  const prefix = isPrefix && (last.word.length >= MIN_PREFIX_LENGTH || isUnspaced(last.word));
  if (isPrefix && !prefix)
    notes.add(
      `"${last.word}*" needs ${MIN_PREFIX_LENGTH} letters before the asterisk; it was searched for as a word.`,
    );
  return { kind: 'words', ...(field && { field }), text, prefix };
}

export const hasLetters = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

function removeStars(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '*') end -= 1;
  return text.slice(0, end);
}

const createFieldReader =
  (field: WordField): OperatorReader =>
  (value, notes) => {
    const node = readWords(value, notes, field);
    if (!node) notes.add(`"${value.operator}:" needs a value.`);
    return node;
  };

const describeUnknownValue = (value: OperatorValue, values: readonly string[]): string =>
  `"${value.operator}:${truncateValue(value.text)}" is not known; use ${listValues(value.operator, values)}.`;

const listValues = (operator: string, values: readonly string[]): string => {
  const names = values.map((name) => `${operator}:${name}`);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
};

const truncateValue = (text: string): string =>
  text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text;

const readState: OperatorReader = (value, notes) => {
  const state = messageStates.find((messageState) => messageState === value.text.toLowerCase());
  if (state) return { kind: 'is', state };
  notes.add(describeUnknownValue(value, messageStates));
  return null;
};

const readHas: OperatorReader = (value, notes) => {
  if (/^attachments?$/i.test(value.text)) return { kind: 'attachment' };
  notes.add(describeUnknownValue(value, ['attachment']));
  return null;
};

const readFolder: OperatorReader = (value, notes, names) => {
  const name = value.text.toLowerCase();
  const role = ([...folderRoles, 'anywhere'] as const).find((item) => item === name);
  if (role) return { kind: 'in', role };
  if (isKnownName(names.folders, value.text)) return { kind: 'folder', name: value.text };
  notes.add(
    `${describeUnknownValue(value, [...folderRoles, 'anywhere']).slice(0, -1)}, or the name of a folder.`,
  );
  return null;
};

const readLabel: OperatorReader = (value, notes, names) => {
  if (!isKnownName(names.labels, value.text)) notes.add(`There is no label "${truncateValue(value.text)}".`);
  return { kind: 'label', name: value.text };
};

const isKnownName = (names: readonly string[] | undefined, name: string): boolean =>
  !names || names.some((item) => matchesFoldedName(item, name));

const createDayReader =
  (side: 'from' | 'until'): OperatorReader =>
  (value, notes) => {
    const day = parseDay(value.text);
    if (day) return { kind: 'day', side, day };
    notes.add(`"${value.operator}:${truncateValue(value.text)}" is not a date; use YYYY/MM/DD.`);
    return null;
  };

/** Normalizes `2026/1/2` or `2026-01-02` to `2026-01-02`. Returns null if the day does not exist. */
function parseDay(text: string): string | null {
  const match = /^(\d{4})([/-])(\d{1,2})\2(\d{1,2})$/.exec(text);
  if (!match) return null;
  const day = `${match[1]}-${match[3]!.padStart(2, '0')}-${match[4]!.padStart(2, '0')}`;
  const time = new Date(`${day}T00:00:00Z`);
  return match[1] !== '0000' && !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day)
    ? day
    : null;
}

const AGE_UNITS: Record<string, AgeUnit> = { d: 'day', m: 'month', y: 'year' };

const createAgeReader =
  (side: 'newer' | 'older'): OperatorReader =>
  (value, notes) => {
    const match = /^(\d{1,4})([dmy])$/i.exec(value.text);
    if (match)
      return { kind: 'age', side, count: Number(match[1]), unit: AGE_UNITS[match[2]!.toLowerCase()]! };
    notes.add(`"${value.operator}:${truncateValue(value.text)}" is not an age; use 3d, 2m or 1y.`);
    return null;
  };

const SIZE_FACTORS: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 };

const createSizeReader =
  (side: 'larger' | 'smaller'): OperatorReader =>
  (value, notes) => {
    const match = /^(\d{1,12})([kmg]?)b?$/i.exec(value.text);
    if (match)
      return { kind: 'size', side, bytes: Number(match[1]) * SIZE_FACTORS[match[2]!.toLowerCase()]! };
    notes.add(`"${value.operator}:${truncateValue(value.text)}" is not a size; use 10K or 5M.`);
    return null;
  };

const readMessageId: OperatorReader = ({ text }) => ({
  kind: 'exact',
  of: 'messageId',
  value: text.replace(/^<|>$/g, ''),
});
const readDeliveredTo: OperatorReader = ({ text }) => ({
  kind: 'exact',
  of: 'deliveredTo',
  value: text.toLowerCase(),
});
const readThread: OperatorReader = ({ text }) => ({ kind: 'exact', of: 'thread', value: text });

const OPERATORS = new Map<string, OperatorReader>([
  ['from', createFieldReader('from')],
  ['to', createFieldReader('to')],
  ['cc', createFieldReader('cc')],
  ['bcc', createFieldReader('bcc')],
  ['subject', createFieldReader('subject')],
  ['list', createFieldReader('list')],
  ['filename', createFieldReader('attachment')],
  ['label', readLabel],
  ['in', readFolder],
  ['is', readState],
  ['has', readHas],
  ['after', createDayReader('from')],
  ['newer', createDayReader('from')],
  ['before', createDayReader('until')],
  ['older', createDayReader('until')],
  ['newer_than', createAgeReader('newer')],
  ['older_than', createAgeReader('older')],
  ['size', createSizeReader('larger')],
  ['larger', createSizeReader('larger')],
  ['smaller', createSizeReader('smaller')],
  ['rfc822msgid', readMessageId],
  ['deliveredto', readDeliveredTo],
  ['thread', readThread],
]);

export const isOperator = (name: string): boolean => OPERATORS.has(name);

export function readOperator(
  value: OperatorValue,
  notes: SearchNotes,
  names: MailboxNames,
): SearchNode | null {
  if (value.text.trim() !== '') return OPERATORS.get(value.operator)!(value, notes, names);
  notes.add(`"${value.operator}:" needs a value.`);
  return null;
}

export const matchesFoldedName = (a: string, b: string): boolean => foldText(a.trim()) === foldText(b.trim());
