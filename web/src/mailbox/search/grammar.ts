// A search is a string in the server's query syntax. Only the server interprets it. This module splits it, to show
// operators as removable chips and to complete the word at the cursor.

export const OPERATORS = [
  'from',
  'to',
  'subject',
  'has',
  'is',
  'in',
  'label',
  'after',
  'before',
  'newer_than',
  'older_than',
  'filename',
  'larger',
  'smaller',
  'cc',
  'bcc',
  'list',
  'deliveredto',
  'rfc822msgid',
  'thread',
] as const;

export type Operator = (typeof OPERATORS)[number];

const OPERATOR_ALIASES: Record<string, Operator> = { newer: 'after', older: 'before', size: 'larger' };

export interface SearchPart {
  text: string;
  /** Set for an operator with a value, except in parentheses or next to OR. */
  chip: { operator: Operator; value: string; isNegated: boolean } | null;
}

const TERM = /(-?)([A-Za-z][A-Za-z0-9_]{0,31}):(?:"([^"]*)"?|([^\s(){}"]+))/y;
const PHRASE = /-?(?:[A-Za-z]\w{0,31}:)?"[^"]*"?/y;
const BARE = /[^\s(){}"]+/y;

/** Splits a search into parts, which can be joined with spaces without changing the meaning. */
export function parseParts(search: string): SearchPart[] {
  const parts = splitParts(search.replace(/[\u201c-\u201f\uff02]/g, '"'));
  return parts.map((part, index) =>
    isOr(parts[index - 1]) || isOr(parts[index + 1]) ? { ...part, chip: null } : part,
  );
}

const isOr = (part: SearchPart | undefined): boolean => part?.text === 'OR' || part?.text === '|';

function splitParts(text: string): SearchPart[] {
  const parts: SearchPart[] = [];
  let position = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match) position = pattern.lastIndex;
    return match;
  };
  while (position < text.length) {
    if (match(/\s+/y)) continue;
    const bracket = match(/-?(?:[A-Za-z]\w{0,31}:)?[({]/y);
    if (bracket) {
      const end = findClosing(text, position);
      parts.push({ text: bracket[0] + text.slice(position, end), chip: null });
      position = end;
      continue;
    }
    const term = match(TERM);
    if (term) parts.push({ text: term[0], chip: toChip(term) });
    else parts.push({ text: (match(PHRASE) ?? match(BARE) ?? [text[position++]!])[0]!, chip: null });
  }
  return parts;
}

/** Returns the index after the bracket that closes the one before `from`. */
function findClosing(text: string, from: number): number {
  let depth = 1;
  for (let index = from; index < text.length; index += 1) {
    if (text[index] === '"') index = Math.max(index, text.indexOf('"', index + 1));
    else if (text[index] === '(' || text[index] === '{') depth += 1;
    else if (text[index] === ')' || text[index] === '}') depth -= 1;
    if (depth === 0) return index + 1;
  }
  return text.length;
}

function toChip([, minus, name = '', quoted, bare]: RegExpExecArray): SearchPart['chip'] {
  const lower = name.toLowerCase();
  const operator = OPERATOR_ALIASES[lower] ?? OPERATORS.find((operator) => operator === lower);
  const value = quoted ?? bare ?? '';
  return operator && value.trim() ? { operator, value, isNegated: minus === '-' } : null;
}

export const removePart = (parts: readonly SearchPart[], index: number): string =>
  parts
    .filter((_, position) => position !== index)
    .map(({ text }) => text)
    .join(' ');

/** Formats an operator and its value. Quotes the value if necessary. */
export const formatPart = (operator: Operator, value: string): string =>
  /^[^\s(){}"]+$/.test(value) ? `${operator}:${value}` : `${operator}:"${value.replaceAll('"', '')}"`;

/** The word before the cursor, to be completed. */
export interface TypedTerm {
  from: number;
  isNegated: boolean;
  /** Null while the user may still be typing an operator's name. */
  operator: Operator | null;
  text: string;
}

/** Returns the word before the cursor, or null within quotation marks that do not belong to an operator. */
export function findTypedTerm(search: string, cursor: number): TypedTerm | null {
  const before = search.slice(0, cursor);
  const value = /(?:^|[\s(){}])((-?)([A-Za-z][\w]{0,31}):(?:"([^"]*)|([^\s(){}"]*)))$/.exec(before);
  if (value) {
    const [, match = '', minus, name = '', quoted, bare = ''] = value;
    const lower = name.toLowerCase();
    const operator = OPERATOR_ALIASES[lower] ?? OPERATORS.find((operator) => operator === lower) ?? null;
    const typed = { from: cursor - match.length, isNegated: minus === '-', operator, text: quoted ?? bare };
    return operator ? typed : null;
  }
  if ((before.match(/"/g)?.length ?? 0) % 2 === 1) return null;
  const [, minus, text] = /(?:^|[\s(){}])(-?)([A-Za-z]\w{0,31})$/.exec(before) ?? [];
  if (!text) return null;
  return { from: cursor - text.length - minus!.length, isNegated: minus === '-', operator: null, text };
}
