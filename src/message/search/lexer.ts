import { type SearchNotes, searchLimits } from './notes.ts';

/** Prefix of a value or a bracket, such as `-` or `from:`. */
interface TokenLead {
  isNegated: boolean;
  /** Name before the colon, as written. Empty if there is none. */
  operator: string;
}

/** Brackets are balanced. `{` matches if any of its terms matches. */
export type SearchToken =
  | ({ type: 'open'; isAny: boolean } & TokenLead)
  | { type: 'close' }
  | { type: 'or' }
  | ({ type: 'term'; text: string; isQuoted: boolean } & TokenLead);

const SPACE_PATTERN = /\s+/y;
const OPERATOR_PATTERN = /([A-Za-z][A-Za-z0-9_]{0,31}):/y;
const BARE_PATTERN = /[^\s(){}"]+/y;

const CURLY_QUOTES = /[\u201c-\u201f\uff02]/g;

/** Tokenizes a query in linear time. Repairs unbalanced brackets and quotes. */
export function lexSearch(input: string, notes: SearchNotes): SearchToken[] {
  const text = input.replace(CURLY_QUOTES, '"');
  const tokens: SearchToken[] = [];
  const brackets = createBracketStack(tokens, notes);
  let terms = 0;
  let position = 0;
  const consumeMatch = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = position;
    const match = pattern.exec(text);
    if (match) position = pattern.lastIndex;
    return match;
  };
  const readPhrase = (): string => {
    const end = text.indexOf('"', position + 1);
    const inner = text.slice(position + 1, end < 0 ? undefined : end);
    position = end < 0 ? text.length : end + 1;
    if (end < 0) notes.add('A quotation mark is not closed; the rest was read as one phrase.');
    return inner;
  };

  while (position < text.length) {
    if (consumeMatch(SPACE_PATTERN)) continue;
    if (isClosing(text[position]!)) {
      position += 1;
      brackets.close();
      continue;
    }
    if (terms === searchLimits.terms) {
      notes.add(`Only the first ${searchLimits.terms} terms were read.`);
      break;
    }
    const isNegated = text[position] === '-' && /[^\s)}]/.test(text[position + 1] ?? ' ');
    if (isNegated) position += 1;
    const operator = consumeMatch(OPERATOR_PATTERN)?.[1] ?? '';
    const next = text[position] ?? '';
    if (next === '(' || next === '{') {
      position += 1;
      brackets.open({ isAny: next === '{', isNegated, operator });
      continue;
    }
    const isQuoted = next === '"';
    const value = isQuoted ? readPhrase() : (consumeMatch(BARE_PATTERN)?.[0] ?? '');
    terms += 1;
    if (isOrToken(value) && !isQuoted && !isNegated && !operator) tokens.push({ type: 'or' });
    else tokens.push({ type: 'term', text: value, isQuoted, isNegated, operator });
  }
  brackets.end();
  return tokens;
}

const isClosing = (char: string): boolean => char === ')' || char === '}';
const isOrToken = (text: string): boolean => text === 'OR' || text === '|';

/** Balances brackets. Drops brackets that are nested too deeply, but keeps their terms. */
function createBracketStack(tokens: SearchToken[], notes: SearchNotes) {
  let depth = 0;
  const getVisibleDepth = () => Math.min(depth, searchLimits.depth);
  return {
    open(bracket: { isAny: boolean } & TokenLead): void {
      depth += 1;
      if (depth <= searchLimits.depth) tokens.push({ type: 'open', ...bracket });
      else notes.add(`Brackets nested more than ${searchLimits.depth} deep were left out.`);
    },
    close(): void {
      if (depth === 0) notes.add('A bracket was never opened.');
      else if (depth <= searchLimits.depth) tokens.push({ type: 'close' });
      depth = Math.max(0, depth - 1);
    },
    end(): void {
      if (depth > 0) notes.add('A bracket is not closed.');
      for (let visibleDepth = getVisibleDepth(); visibleDepth > 0; visibleDepth -= 1)
        tokens.push({ type: 'close' });
    },
  };
}
