import { limits } from '../limits.ts';
import { RenderError } from './render-error.ts';

// Expressions in markup: paths, strings, numbers, comparisons, `and`, `or` and `not`. Calls and arithmetic are not
// supported, and paths read only own properties.

const MAX_EXPRESSION_CHARS = 500;
const MAX_SEARCHED_CHARS = 1_000;

export type Expression =
  | { kind: 'value'; value: MarkupValue }
  | { kind: 'path'; path: string[] }
  | { kind: 'not'; of: Expression }
  | { kind: 'and' | 'or'; left: Expression; right: Expression }
  | { kind: 'compare'; operator: ComparisonOperator; left: Expression; right: Expression };

type ComparisonOperator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';

export type MarkupValue =
  | string
  | number
  | boolean
  | null
  | SafeMarkup
  | MarkupValue[]
  | { [name: string]: MarkupValue };

/** Markup created by the renderer, which is not escaped again. */
export class SafeMarkup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const TEXT_PATTERN = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/;
const NUMBER_PATTERN = /-?\d+(?:\.\d+)?/;
const PATH_PATTERN = /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/;
const SIGN_PATTERN = /==|!=|<=|>=|<|>|\(|\)/;
const TOKEN_PATTERN = new RegExp(
  `\\s*(?:${[TEXT_PATTERN, NUMBER_PATTERN, PATH_PATTERN, SIGN_PATTERN].map(({ source }) => source).join('|')})`,
  'y',
);

/** @throws Error that describes the problem, without its position */
export function parseExpression(text: string): Expression {
  const tokens = tokenize(text);
  const state = { tokens, at: 0, depth: 0 };
  const result = parseOr(state);
  if (state.at < tokens.length) throw new Error(`${tokens[state.at]!.slice(0, 40)} is not expected`);
  return result;
}

function tokenize(text: string): string[] {
  if (text.length > MAX_EXPRESSION_CHARS)
    throw new Error(`the expression may have at most ${MAX_EXPRESSION_CHARS} characters`);
  const tokens: string[] = [];
  const trimmed = text.trim();
  for (let start = 0; start < trimmed.length; ) {
    TOKEN_PATTERN.lastIndex = start;
    const match = TOKEN_PATTERN.exec(trimmed);
    if (!match)
      throw new Error(
        `only paths, strings, numbers, comparisons, and, or, not are allowed: ${trimmed.slice(start, start + 40)}`,
      );
    tokens.push(match[0].trim());
    start = TOKEN_PATTERN.lastIndex;
  }
  if (tokens.length === 0) throw new Error('the expression is empty');
  return tokens;
}

interface ParserState {
  tokens: string[];
  at: number;
  depth: number;
}

function parseOr(state: ParserState): Expression {
  let left = parseAnd(state);
  while (consumeToken(state, 'or')) left = { kind: 'or', left, right: parseAnd(state) };
  return left;
}

function parseAnd(state: ParserState): Expression {
  let left = parseNot(state);
  while (consumeToken(state, 'and')) left = { kind: 'and', left, right: parseNot(state) };
  return left;
}

function parseNot(state: ParserState): Expression {
  if (++state.depth > limits.site.depth) throw new Error('the expression is nested too deep');
  try {
    return consumeToken(state, 'not') ? { kind: 'not', of: parseNot(state) } : parseComparison(state);
  } finally {
    state.depth--;
  }
}

const OPERATORS = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);

function parseComparison(state: ParserState): Expression {
  const left = parseOperand(state);
  const { tokens, at } = state;
  if (tokens[at] === 'not' && tokens[at + 1] === 'in') {
    state.at += 2;
    return { kind: 'compare', operator: 'not in', left, right: parseOperand(state) };
  }
  if (!OPERATORS.has(tokens[at] ?? '')) return left;
  state.at++;
  return { kind: 'compare', operator: tokens[at] as ComparisonOperator, left, right: parseOperand(state) };
}

function consumeToken(state: ParserState, word: string): boolean {
  if (state.tokens[state.at] !== word) return false;
  state.at++;
  return true;
}

const LITERALS: ReadonlyMap<string, MarkupValue> = new Map<string, MarkupValue>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['None', null],
  ['null', null],
]);

const RESERVED_WORDS = new Set(['and', 'or', 'not', 'in']);

function parseOperand(state: ParserState): Expression {
  const token = state.tokens[state.at++];
  if (token === undefined) throw new Error('a value is missing at the end');
  if (token === '(') {
    const inner = parseOr(state);
    if (!consumeToken(state, ')')) throw new Error('a closing ) is missing');
    return inner;
  }
  if (/^['"]/.test(token)) return { kind: 'value', value: token.slice(1, -1).replace(/\\(.)/g, '$1') };
  if (/^-?\d/.test(token)) return { kind: 'value', value: Number(token) };
  if (!/^[A-Za-z_]/.test(token) || RESERVED_WORDS.has(token)) throw new Error(`${token} is not expected`);
  if (LITERALS.has(token)) return { kind: 'value', value: LITERALS.get(token)! };
  return { kind: 'path', path: token.split('.') };
}

type NameLookup = (name: string) => MarkupValue | undefined;

/**
 * Evaluates an expression. Unknown paths evaluate to null.
 * @throws RenderError if `in` searches a string that is too long
 */
export function evaluate(expression: Expression, lookup: NameLookup): MarkupValue {
  switch (expression.kind) {
    case 'value':
      return expression.value;
    case 'path':
      return followPath(expression.path, lookup);
    case 'not':
      return !isTruthy(evaluate(expression.of, lookup));
    case 'and': {
      const left = evaluate(expression.left, lookup);
      return isTruthy(left) ? evaluate(expression.right, lookup) : left;
    }
    case 'or': {
      const left = evaluate(expression.left, lookup);
      return isTruthy(left) ? left : evaluate(expression.right, lookup);
    }
    case 'compare':
      return compare(
        expression.operator,
        evaluate(expression.left, lookup),
        evaluate(expression.right, lookup),
      );
  }
}

function followPath([first, ...rest]: string[], lookup: NameLookup): MarkupValue {
  let value = lookup(first!) ?? null;
  for (const name of rest) {
    const isHolder =
      typeof value === 'object' && value !== null && !Array.isArray(value) && !isSafeMarkup(value);
    if (!isHolder || !Object.hasOwn(value as object, name)) return null;
    value = (value as Record<string, MarkupValue>)[name] ?? null;
  }
  return value;
}

const isSafeMarkup = (value: MarkupValue): value is SafeMarkup => value instanceof SafeMarkup;

/** Tests truthiness as in Python: null, empty strings, zero and empty lists are false. */
export const isTruthy = (value: MarkupValue): boolean =>
  Array.isArray(value) ? value.length > 0 : isSafeMarkup(value) ? value.text !== '' : Boolean(value);

function compare(operator: ComparisonOperator, left: MarkupValue, right: MarkupValue): boolean {
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case 'in':
      return isContained(left, right);
    case 'not in':
      return !isContained(left, right);
    default:
      return areComparable(left, right) && compareOrdered(operator, left, right);
  }
}

function isContained(left: MarkupValue, right: MarkupValue): boolean {
  if (Array.isArray(right)) return right.includes(left);
  if (typeof right !== 'string' || typeof left !== 'string') return false;
  // The search time grows with the product of both lengths.
  if (right.length > MAX_SEARCHED_CHARS)
    throw new RenderError(`in can only search strings of at most ${MAX_SEARCHED_CHARS} characters.`);
  return right.includes(left);
}

const areComparable = (left: MarkupValue, right: MarkupValue): left is string | number =>
  typeof left === typeof right && (typeof left === 'number' || typeof left === 'string');

function compareOrdered(operator: ComparisonOperator, left: string | number, right: MarkupValue): boolean {
  const other = right as typeof left;
  if (operator === '<') return left < other;
  if (operator === '<=') return left <= other;
  return operator === '>' ? left > other : left >= other;
}
