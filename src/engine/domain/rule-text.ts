import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Principal } from '../model/principal.ts';
import type { Domain } from './condition.ts';

/** Maximum length of a record rule, or of a selection's options, in characters. */
export const MAX_RULE_CHARS = 128 * 1024;

/**
 * Parsed text of a record rule, as stored in ir.rule: a Python or JSON literal with the variables in RULE_NAMES, list
 * concatenation, and `time.strftime` for dates. The text is parsed, never executed.
 */
export type RuleTerm =
  | { kind: 'value'; value: string | number | boolean | null }
  | { kind: 'list'; items: RuleTerm[] }
  | { kind: 'name'; name: string }
  | { kind: 'sum'; parts: RuleTerm[] }
  | { kind: 'time'; format: string };

export type RuleSubject = Pick<
  Principal,
  'userId' | 'partnerId' | 'companyId' | 'companyIds' | 'login' | 'name' | 'lang' | 'tz'
>;

/** An id that no record has, so that a rule about a missing user or company matches no records. */
const NO_ID = 0;

const RULE_NAMES: Record<string, (subject: RuleSubject) => unknown> = {
  'user.id': (subject) => subject.userId ?? NO_ID,
  'user.ids': (subject) => toIdList(subject.userId),
  'user.partner_id.id': (subject) => subject.partnerId ?? NO_ID,
  'user.partner_id.ids': (subject) => toIdList(subject.partnerId),
  'user.company_id.id': (subject) => subject.companyId ?? NO_ID,
  'user.company_id.ids': (subject) => toIdList(subject.companyId),
  'user.company_ids': (subject) => [...subject.companyIds],
  'user.company_ids.ids': (subject) => [...subject.companyIds],
  'user.login': (subject) => subject.login,
  'user.name': (subject) => subject.name,
  'user.lang': (subject) => subject.lang,
  'user.tz': (subject) => subject.tz,
  company_id: (subject) => subject.companyId ?? NO_ID,
  company_ids: (subject) => [...subject.companyIds],
};
const LIST_NAMES = new Set([
  ...Object.keys(RULE_NAMES).filter((name) => name.endsWith('ids')),
  'user.company_ids',
]);
const toIdList = (id: number | null): number[] => (id === null ? [] : [id]);

const RULE_CONSTANTS: Record<string, boolean | null> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
};

/**
 * Evaluates a rule to the domain that applies to a principal.
 * @param now Unix time in milliseconds, for rules that use the current date (UTC)
 */
export const evaluateRule = (rule: RuleTerm, subject: RuleSubject, now = Date.now()): Domain =>
  evaluateRuleTerm(rule, subject, now) as Domain;

function evaluateRuleTerm(term: RuleTerm, subject: RuleSubject, now: number): unknown {
  if (term.kind === 'value') return term.value;
  if (term.kind === 'name') return RULE_NAMES[term.name]!(subject);
  if (term.kind === 'time') return formatTime(term.format, now);
  if (term.kind === 'list') return term.items.map((item) => evaluateRuleTerm(item, subject, now));
  return term.parts.flatMap((part) => evaluateRuleTerm(part, subject, now) as unknown[]);
}

interface RuleReader {
  text: string;
  at: number;
}

/**
 * Parses a rule. Empty text matches everything.
 * @throws BAD_VALUE if the text is too long, or has a syntax error (with its position)
 */
export function parseRuleText(text: string): RuleTerm {
  if (text.length > MAX_RULE_CHARS)
    throw errors.badValue(`The text is too long: it may have at most ${MAX_RULE_CHARS} characters.`);
  const state: RuleReader = { text, at: 0 };
  skipBlank(state);
  if (state.at === text.length) return { kind: 'list', items: [] };
  const rule = readSum(state, 0);
  skipBlank(state);
  if (state.at < text.length) throw buildSyntaxError(state, 'expected the end');
  if (!isListTerm(rule)) throw buildSyntaxError({ text, at: 0 }, 'a domain must be a list of conditions');
  return rule;
}

const isListTerm = (term: RuleTerm): boolean =>
  term.kind === 'list' || term.kind === 'sum' || (term.kind === 'name' && LIST_NAMES.has(term.name));

function buildSyntaxError({ text, at }: RuleReader, reason: string): Error {
  const token = at < text.length ? `'${text.slice(at, at + 20)}'` : 'the end';
  return errors.badValue(`Invalid rule domain at character ${at + 1} (${token}): ${reason}`);
}

/** Skips whitespace and comments. */
function skipBlank(state: RuleReader): void {
  const { text } = state;
  for (;;) {
    while (/\s/.test(text[state.at] ?? '')) state.at++;
    if (text[state.at] !== '#') return;
    const end = text.indexOf('\n', state.at);
    state.at = end < 0 ? text.length : end;
  }
}

function consumeMark(state: RuleReader, mark: string): boolean {
  skipBlank(state);
  if (state.text[state.at] !== mark) return false;
  state.at++;
  return true;
}

function readSum(state: RuleReader, depth: number): RuleTerm {
  const parts = [readTerm(state, depth)];
  for (;;) {
    skipBlank(state);
    const from = { ...state };
    if (!consumeMark(state, '+')) break;
    parts.push(readTerm(state, depth));
    if (!parts.slice(-2).every(isListTerm)) throw buildSyntaxError(from, 'only lists can be added');
  }
  return parts.length === 1 ? parts[0]! : { kind: 'sum', parts };
}

function readTerm(state: RuleReader, depth: number): RuleTerm {
  if (depth > limits.domain.depth) throw buildSyntaxError(state, 'nested too deep');
  skipBlank(state);
  const next = state.text[state.at] ?? '';
  if (next === '[' || next === '(') {
    state.at++;
    return readItems(state, next === '[' ? ']' : ')', depth);
  }
  if (next === '"' || next === "'") return { kind: 'value', value: readString(state, next) };
  return /[-.\d]/.test(next) ? readNumber(state) : readName(state);
}

/** Parses items in brackets. A single item in parentheses without a comma is not a tuple. */
function readItems(state: RuleReader, end: string, depth: number): RuleTerm {
  const items: RuleTerm[] = [];
  let hasComma = false;
  while (!consumeMark(state, end)) {
    if (items.length > 0 && !hasComma) throw buildSyntaxError(state, `expected , or ${end}`);
    items.push(readSum(state, depth + 1));
    hasComma = consumeMark(state, ',');
  }
  return end === ')' && items.length === 1 && !hasComma ? items[0]! : { kind: 'list', items };
}

const NUMBER_PATTERN = /-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y;

function readNumber(state: RuleReader): RuleTerm {
  NUMBER_PATTERN.lastIndex = state.at;
  const value = Number(NUMBER_PATTERN.exec(state.text)?.[0] ?? Number.NaN);
  if (!Number.isFinite(value)) throw buildSyntaxError(state, 'expected a number');
  state.at = NUMBER_PATTERN.lastIndex;
  return { kind: 'value', value };
}

const NAME_PATTERN = /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/y;

function readName(state: RuleReader): RuleTerm {
  NAME_PATTERN.lastIndex = state.at;
  const name = NAME_PATTERN.exec(state.text)?.[0];
  if (name === undefined) throw buildSyntaxError(state, 'expected a list, a string, a number or a name');
  const from = { ...state };
  state.at += name.length;
  if (name === 'time.strftime') return readTime(state);
  if (Object.hasOwn(RULE_CONSTANTS, name)) return { kind: 'value', value: RULE_CONSTANTS[name]! };
  if (Object.hasOwn(RULE_NAMES, name)) return { kind: 'name', name };
  throw buildSyntaxError(from, `unknown name; expected one of ${Object.keys(RULE_NAMES).join(', ')}`);
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const HEX_ESCAPE_LENGTHS: Record<string, number> = { x: 2, u: 4 };

function readString(state: RuleReader, quote: string): string {
  const { text } = state;
  const from = { ...state };
  let value = '';
  for (state.at++; state.at < text.length; state.at++) {
    const character = text[state.at]!;
    if (character === quote) {
      state.at++;
      return value;
    }
    if (character === '\n') break;
    value += character === '\\' ? readEscape(state) : character;
  }
  throw buildSyntaxError(from, 'unterminated string');
}

function readEscape(state: RuleReader): string {
  const letter = state.text[++state.at] ?? '';
  const digits = HEX_ESCAPE_LENGTHS[letter];
  if (digits === undefined) return ESCAPES[letter] ?? (/[\\'"/]/.test(letter) ? letter : `\\${letter}`);
  const hex = state.text.slice(state.at + 1, state.at + 1 + digits);
  if (hex.length < digits || !/^[\da-fA-F]+$/.test(hex))
    throw buildSyntaxError(state, 'incomplete escape sequence');
  state.at += digits;
  return String.fromCharCode(Number.parseInt(hex, 16));
}

const TIME_PART = /%([YmdHMS%])/g;

/** Reads the argument list, which must be a format string such as `('%Y-%m-%d')`. */
function readTime(state: RuleReader): RuleTerm {
  if (!consumeMark(state, '(')) throw buildSyntaxError(state, 'expected (');
  skipBlank(state);
  const from = { ...state };
  const quote = state.text[state.at];
  if (quote !== '"' && quote !== "'") throw buildSyntaxError(state, 'expected a format string');
  const format = readString(state, quote);
  if (format.replace(TIME_PART, '').includes('%'))
    throw buildSyntaxError(from, 'unknown format code; use only %Y, %m, %d, %H, %M and %S');
  if (!consumeMark(state, ')')) throw buildSyntaxError(state, 'expected )');
  return { kind: 'time', format };
}

function formatTime(format: string, now: number): string {
  const [Y, m, d, H, M, S] = new Date(now).toISOString().split(/[-T:.]/);
  const parts: Record<string, string | undefined> = { Y, m, d, H, M, S, '%': '%' };
  return format.replace(TIME_PART, (_, letter: string) => parts[letter]!);
}
