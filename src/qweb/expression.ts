import { limits } from '../limits.ts';
import { RenderError } from './render-error.ts';

// Expressions of markup: paths, texts, numbers, comparisons, and, or, not. There are no calls and no arithmetic, and a
// path only reads what the values hold themselves.

export type Expression =
  | { kind: 'value'; value: Value }
  | { kind: 'path'; path: string[] }
  | { kind: 'not'; of: Expression }
  | { kind: 'and' | 'or'; left: Expression; right: Expression }
  | { kind: 'compare'; operator: Operator; left: Expression; right: Expression };

type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | 'not in';

/** What markup works with: plain data. */
export type Value = string | number | boolean | null | SafeMarkup | Value[] | { [name: string]: Value };

/** Markup that the renderer has made itself, and does not escape again. */
export class SafeMarkup {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const TEXT = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/;
const NUMBER = /-?\d+(?:\.\d+)?/;
const PATH = /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/;
const SIGN = /==|!=|<=|>=|<|>|\(|\)/;
const TOKEN = new RegExp(`\\s*(?:${[TEXT, NUMBER, PATH, SIGN].map(({ source }) => source).join('|')})`, 'y');

/** @throws Error that says what is wrong, without a place */
export function parseExpression(text: string): Expression {
  const tokens = tokensOf(text);
  const state = { tokens, at: 0, depth: 0 };
  const result = either(state);
  if (state.at < tokens.length) throw new Error(`${tokens[state.at]!.slice(0, 40)} is not expected`);
  return result;
}

function tokensOf(text: string): string[] {
  if (text.length > limits.site.expression)
    throw new Error(`an expression has at most ${limits.site.expression} characters`);
  const tokens: string[] = [];
  const trimmed = text.trim();
  for (let at = 0; at < trimmed.length; ) {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(trimmed);
    if (!match)
      throw new Error(`only paths, texts, numbers, comparisons, and, or, not: ${trimmed.slice(at, at + 40)}`);
    tokens.push(match[0].trim());
    at = TOKEN.lastIndex;
  }
  if (tokens.length === 0) throw new Error('there is no expression');
  return tokens;
}

interface State {
  tokens: string[];
  at: number;
  depth: number;
}

function either(state: State): Expression {
  let left = both(state);
  while (take(state, 'or')) left = { kind: 'or', left, right: both(state) };
  return left;
}

function both(state: State): Expression {
  let left = negated(state);
  while (take(state, 'and')) left = { kind: 'and', left, right: negated(state) };
  return left;
}

function negated(state: State): Expression {
  if (++state.depth > limits.site.depth) throw new Error('it is nested too deep');
  try {
    return take(state, 'not') ? { kind: 'not', of: negated(state) } : compared(state);
  } finally {
    state.depth--;
  }
}

const OPERATORS = new Set(['==', '!=', '<', '<=', '>', '>=', 'in']);

function compared(state: State): Expression {
  const left = operand(state);
  const { tokens, at } = state;
  if (tokens[at] === 'not' && tokens[at + 1] === 'in') {
    state.at += 2;
    return { kind: 'compare', operator: 'not in', left, right: operand(state) };
  }
  if (!OPERATORS.has(tokens[at] ?? '')) return left;
  state.at++;
  return { kind: 'compare', operator: tokens[at] as Operator, left, right: operand(state) };
}

function take(state: State, word: string): boolean {
  if (state.tokens[state.at] !== word) return false;
  state.at++;
  return true;
}

const WORDS: ReadonlyMap<string, Value> = new Map<string, Value>([
  ['true', true],
  ['True', true],
  ['false', false],
  ['False', false],
  ['None', null],
  ['null', null],
]);

const RESERVED = new Set(['and', 'or', 'not', 'in']);

function operand(state: State): Expression {
  const token = state.tokens[state.at++];
  if (token === undefined) throw new Error('a value is missing at its end');
  if (token === '(') {
    const inner = either(state);
    if (!take(state, ')')) throw new Error('a ) is missing');
    return inner;
  }
  if (/^['"]/.test(token)) return { kind: 'value', value: token.slice(1, -1).replace(/\\(.)/g, '$1') };
  if (/^-?\d/.test(token)) return { kind: 'value', value: Number(token) };
  if (!/^[A-Za-z_]/.test(token) || RESERVED.has(token)) throw new Error(`${token} is not expected`);
  if (WORDS.has(token)) return { kind: 'value', value: WORDS.get(token)! };
  return { kind: 'path', path: token.split('.') };
}

/** Looks a name up that is no member of a value. */
export type Lookup = (name: string) => Value | undefined;

/** What an unknown path leads to is null. @throws RenderError for a search in a long text */
export function evaluate(expression: Expression, lookup: Lookup): Value {
  switch (expression.kind) {
    case 'value':
      return expression.value;
    case 'path':
      return follow(expression.path, lookup);
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

function follow([first, ...rest]: string[], lookup: Lookup): Value {
  let value = lookup(first!) ?? null;
  for (const name of rest) {
    const isHolder = typeof value === 'object' && value !== null && !Array.isArray(value) && !isSafe(value);
    if (!isHolder || !Object.hasOwn(value as object, name)) return null;
    value = (value as Record<string, Value>)[name] ?? null;
  }
  return value;
}

const isSafe = (value: Value): value is SafeMarkup => value instanceof SafeMarkup;

/** As in Python: nothing, no text, zero and an empty list are false. */
export const isTruthy = (value: Value): boolean =>
  Array.isArray(value) ? value.length > 0 : isSafe(value) ? value.text !== '' : Boolean(value);

function compare(operator: Operator, left: Value, right: Value): boolean {
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case 'in':
      return isIn(left, right);
    case 'not in':
      return !isIn(left, right);
    default:
      return isOrdered(left, right) && inOrder(operator, left, right);
  }
}

function isIn(left: Value, right: Value): boolean {
  if (Array.isArray(right)) return right.includes(left);
  if (typeof right !== 'string' || typeof left !== 'string') return false;
  // The search takes a time that grows with the product of both lengths.
  if (right.length > limits.site.searched)
    throw new RenderError(`in searches texts of at most ${limits.site.searched} characters.`);
  return right.includes(left);
}

const isOrdered = (left: Value, right: Value): left is string | number =>
  typeof left === typeof right && (typeof left === 'number' || typeof left === 'string');

function inOrder(operator: Operator, left: string | number, right: Value): boolean {
  const other = right as typeof left;
  if (operator === '<') return left < other;
  if (operator === '<=') return left <= other;
  return operator === '>' ? left > other : left >= other;
}
