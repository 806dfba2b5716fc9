import { lexSearch, type SearchToken } from './lexer.ts';
import { createSearchNotes, type SearchNotes, searchLimits } from './notes.ts';
import { hasLetters, isOperator, type MailboxNames, readOperator, readWords } from './operators.ts';
import type { SearchNode } from './tree.ts';

interface SearchOptions extends MailboxNames {
  /** If false, the whole text is treated as words. */
  operators?: boolean;
}

interface ParsedSearch {
  /** Null matches everything. */
  tree: SearchNode | null;
  notes: string[];
}

/**
 * Parses a search query. Never throws: unknown operators become words, and unbalanced brackets and quotes are repaired.
 * Terms are combined with "and"; OR binds tighter than the space between two terms.
 */
export function parseSearch(input: string, options: SearchOptions = {}): ParsedSearch {
  const notes = createSearchNotes();
  if (input.length > searchLimits.length)
    notes.add(`Only the first ${searchLimits.length.toLocaleString('en')} characters were read.`);
  const text = input.slice(0, searchLimits.length).toWellFormed();
  const tree =
    options.operators === false ? parsePlain(text, notes) : parseTree(lexSearch(text, notes), notes, options);
  return { tree, notes: notes.all() };
}

function parsePlain(text: string, notes: SearchNotes): SearchNode | null {
  const words = text.split(/\s+/).filter((word) => hasLetters(word));
  if (words.length > searchLimits.terms) notes.add(`Only the first ${searchLimits.terms} terms were read.`);
  const terms = words.slice(0, searchLimits.terms).map((word) => parsePlainWord(word, notes));
  return joinNodes(
    'and',
    terms.filter((node) => node !== null),
  );
}

const parsePlainWord = (text: string, notes: SearchNotes): SearchNode | null =>
  readWords({ operator: '', text: text.replaceAll('*', ' '), isQuoted: false }, notes);

type TermToken = Extract<SearchToken, { type: 'term' }>;
type OpenToken = Extract<SearchToken, { type: 'open' }>;

/** The terms inside a pair of brackets, or of the whole query. */
interface TermList {
  isAny: boolean;
  /** Operator that applies to the terms, such as `from` in `from:(a b)`. */
  operator: string;
  open?: OpenToken;
  /** A group is a term, or several terms joined by OR. */
  groups: SearchNode[][];
  isOr: boolean;
}

/** A stack suffices, because brackets are balanced and their depth is limited. */
function parseTree(tokens: SearchToken[], notes: SearchNotes, names: MailboxNames): SearchNode | null {
  const stack: TermList[] = [{ isAny: false, operator: '', groups: [], isOr: false }];
  for (const token of tokens) {
    const list = stack.at(-1)!;
    if (token.type === 'or') list.isOr = true;
    else if (token.type === 'term') addNode(list, readTerm(token, list.operator, notes, names));
    else if (token.type === 'open') stack.push(openList(token, list, notes));
    else addNode(stack.at(-2)!, closeList(stack.pop()!, notes));
  }
  return buildListNode(stack[0]!);
}

function addNode(list: TermList, node: SearchNode | null): void {
  if (!node) return;
  const last = list.groups.at(-1);
  if (list.isOr && last) last.push(node);
  else list.groups.push([node]);
  list.isOr = false;
}

const buildListNode = ({ groups, isAny }: TermList): SearchNode | null =>
  isAny
    ? joinNodes('or', groups.flat())
    : joinNodes(
        'and',
        groups.map((group) => joinNodes('or', group)!),
      );

const joinNodes = (kind: 'and' | 'or', nodes: SearchNode[]): SearchNode | null =>
  nodes.length > 1 ? { kind, nodes } : (nodes[0] ?? null);

function openList(openToken: OpenToken, termList: TermList, notes: SearchNotes): TermList {
  const list: TermList = {
    isAny: openToken.isAny,
    operator: termList.operator,
    open: openToken,
    groups: [],
    isOr: false,
  };
  const name = openToken.operator.toLowerCase();
  if (isOperator(name)) return { ...list, operator: name };
  if (openToken.operator) notes.add(describeUnknownOperator(openToken.operator));
  return list;
}

function closeList({ open, ...list }: TermList, notes: SearchNotes): SearchNode | null {
  const inner = buildListNode(list);
  const isKnown = isOperator(open!.operator.toLowerCase());
  if (isKnown && !inner) notes.add(`"${open!.operator.toLowerCase()}:" needs a value.`);
  const name = isKnown || !open!.operator ? null : readWords(toBareValue(open!.operator), notes);
  return negateIf(
    joinNodes(
      'and',
      [name, inner].filter((node) => node !== null),
    ),
    open!.isNegated,
  );
}

function readTerm(
  term: TermToken,
  outerOperator: string,
  notes: SearchNotes,
  names: MailboxNames,
): SearchNode | null {
  const name = term.operator.toLowerCase();
  if (name && isOperator(name))
    return negateIf(readOperator({ ...term, operator: name }, notes, names), term.isNegated);
  if (!name && !term.isQuoted && term.text === 'AND' && !term.isNegated) return null;
  const node = name ? readUnknownOperator(term, notes) : null;
  if (node || name) return negateIf(node, term.isNegated);
  if (!outerOperator) return negateIf(readWords(term, notes), term.isNegated);
  return hasLetters(term.text)
    ? negateIf(readOperator({ ...term, operator: outerOperator }, notes, names), term.isNegated)
    : null;
}

/** `http://x` and `note:` are words, but `color:red` may have been meant as an operator. */
function readUnknownOperator(term: TermToken, notes: SearchNotes): SearchNode | null {
  if (term.text && !/^[/\\\d]/.test(term.text)) notes.add(describeUnknownOperator(term.operator));
  if (!term.isQuoted) return readWords(toBareValue(`${term.operator}:${term.text}`), notes);
  const parts = [readWords(toBareValue(term.operator), notes), readWords(term, notes)];
  return joinNodes(
    'and',
    parts.filter((node) => node !== null),
  );
}

const describeUnknownOperator = (name: string): string =>
  `"${name}:" is not an operator; it was searched for as a word.`;

const toBareValue = (text: string) => ({ operator: '', text, isQuoted: false });

const negateIf = (node: SearchNode | null, isNegated: boolean): SearchNode | null =>
  node && isNegated ? { kind: 'not', node } : node;
