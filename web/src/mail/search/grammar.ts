// A search is a text in the language of the server, whose reader decides what it means. Here it is only cut into parts,
// so that operators can be shown and taken out one by one, and what is being typed can be completed.

/** Operators of the server, in the order they are offered. */
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

/** Other names of operators. */
const OPERATOR_ALIASES: Record<string, Operator> = { newer: 'after', older: 'before', size: 'larger' };

/** A part of a search as it was written. */
export interface SearchPart {
  text: string;
  /** Of an operator with its value that stands for itself: neither in brackets nor beside OR. */
  chip: { operator: Operator; value: string; isNegated: boolean } | null;
}

const TERM = /(-?)([A-Za-z][A-Za-z0-9_]{0,31}):(?:"([^"]*)"?|([^\s(){}"]+))/y;
const PHRASE = /-?(?:[A-Za-z]\w{0,31}:)?"[^"]*"?/y;
const BARE = /[^\s(){}"]+/y;

/** Parts of a search. Joined by spaces they mean the same. Pure. */
export function parseParts(search: string): SearchPart[] {
  const parts = splitParts(search.replace(/[\u201c-\u201f\uff02]/g, '"'));
  return parts.map((part, at) =>
    isOr(parts[at - 1]) || isOr(parts[at + 1]) ? { ...part, chip: null } : part,
  );
}

const isOr = (part: SearchPart | undefined): boolean => part?.text === 'OR' || part?.text === '|';

function splitParts(text: string): SearchPart[] {
  const parts: SearchPart[] = [];
  let at = 0;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found) at = pattern.lastIndex;
    return found;
  };
  while (at < text.length) {
    if (match(/\s+/y)) continue;
    const bracket = match(/-?(?:[A-Za-z]\w{0,31}:)?[({]/y);
    if (bracket) {
      const end = findClosing(text, at);
      parts.push({ text: bracket[0] + text.slice(at, end), chip: null });
      at = end;
      continue;
    }
    const term = match(TERM);
    if (term) parts.push({ text: term[0], chip: toChip(term) });
    else parts.push({ text: (match(PHRASE) ?? match(BARE) ?? [text[at++]!])[0]!, chip: null });
  }
  return parts;
}

/** Behind the bracket that closes the one which was opened before. */
function findClosing(text: string, from: number): number {
  let depth = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '"') at = Math.max(at, text.indexOf('"', at + 1));
    else if (text[at] === '(' || text[at] === '{') depth += 1;
    else if (text[at] === ')' || text[at] === '}') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return text.length;
}

function toChip([, minus, name = '', quoted, bare]: RegExpExecArray): SearchPart['chip'] {
  const lower = name.toLowerCase();
  const operator = OPERATOR_ALIASES[lower] ?? OPERATORS.find((each) => each === lower);
  const value = quoted ?? bare ?? '';
  return operator && value.trim() ? { operator, value, isNegated: minus === '-' } : null;
}

/** A search without one of its parts. Pure. */
export const removePart = (parts: readonly SearchPart[], index: number): string =>
  parts
    .filter((_, at) => at !== index)
    .map(({ text }) => text)
    .join(' ');

/** An operator with its value as it is written. Pure. */
export const formatPart = (operator: Operator, value: string): string =>
  /^[^\s(){}"]+$/.test(value) ? `${operator}:${value}` : `${operator}:"${value.replaceAll('"', '')}"`;

/** What is being typed before the cursor, to be completed. */
export interface TypedTerm {
  /** Where it begins. */
  from: number;
  isNegated: boolean;
  /** Null while it may become an operator. */
  operator: Operator | null;
  text: string;
}

/** What stands before the cursor; null within other quotation marks. Pure. */
export function findTypedTerm(search: string, cursor: number): TypedTerm | null {
  const before = search.slice(0, cursor);
  const value = /(?:^|[\s(){}])((-?)([A-Za-z][\w]{0,31}):(?:"([^"]*)|([^\s(){}"]*)))$/.exec(before);
  if (value) {
    const [, whole = '', minus, name = '', quoted, bare = ''] = value;
    const lower = name.toLowerCase();
    const operator = OPERATOR_ALIASES[lower] ?? OPERATORS.find((each) => each === lower) ?? null;
    const typed = { from: cursor - whole.length, isNegated: minus === '-', operator, text: quoted ?? bare };
    return operator ? typed : null;
  }
  if ((before.match(/"/g)?.length ?? 0) % 2 === 1) return null;
  const [, minus, text] = /(?:^|[\s(){}])(-?)([A-Za-z]\w{0,31})$/.exec(before) ?? [];
  if (!text) return null;
  return { from: cursor - text.length - minus!.length, isNegated: minus === '-', operator: null, text };
}
