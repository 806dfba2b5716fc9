import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Principal } from '../model/principal.ts';
import type { Domain } from './condition.ts';

/** Maximum characters of a record rule, or of the options of a selection. */
export const MAX_RULE_CHARS = 128 * 1024;

/**
 * Parsed text of a record rule, as stored in ir.rule: a Python literal (or JSON) with the variables in NAMES,
 * concatenated lists, and `time.strftime` for dates. The text is parsed and filled in, never executed.
 */
export type RuleText =
  | { kind: 'value'; value: string | number | boolean | null }
  | { kind: 'list'; items: RuleText[] }
  | { kind: 'name'; name: string }
  | { kind: 'sum'; parts: RuleText[] }
  | { kind: 'time'; format: string };

/** Properties of the principal that a rule can use. */
export type RuleSubject = Pick<
  Principal,
  'userId' | 'partnerId' | 'companyId' | 'companyIds' | 'login' | 'name' | 'lang' | 'tz'
>;

/** An id that no record has, so that a rule about a missing user or company matches nothing. */
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
 * Evaluates a rule to a domain for a principal.
 * @param now milliseconds, for rules with the current date (UTC)
 */
export const evaluateRule = (rule: RuleText, subject: RuleSubject, now = Date.now()): Domain =>
  fillTerm(rule, subject, now) as Domain;

function fillTerm(term: RuleText, subject: RuleSubject, now: number): unknown {
  if (term.kind === 'value') return term.value;
  if (term.kind === 'name') return RULE_NAMES[term.name]!(subject);
  if (term.kind === 'time') return formatTime(term.format, now);
  if (term.kind === 'list') return term.items.map((item) => fillTerm(item, subject, now));
  return term.parts.flatMap((part) => fillTerm(part, subject, now) as unknown[]);
}

interface RuleReader {
  text: string;
  at: number;
}

/**
 * Parses a rule. Empty text is a rule that matches everything.
 * @throws BAD_VALUE if the text is too long, or has a syntax error (with its position)
 */
export function parseRuleText(text: string): RuleText {
  if (text.length > MAX_RULE_CHARS)
    throw errors.badValue(`The text is too long: it may have at most ${MAX_RULE_CHARS} characters.`);
  const reading: RuleReader = { text, at: 0 };
  skipBlank(reading);
  if (reading.at === text.length) return { kind: 'list', items: [] };
  const rule = readSum(reading, 0);
  skipBlank(reading);
  if (reading.at < text.length) throw buildSyntaxError(reading, 'expected the end');
  if (!isListTerm(rule)) throw buildSyntaxError({ text, at: 0 }, 'a domain must be a list of conditions');
  return rule;
}

const isListTerm = (term: RuleText): boolean =>
  term.kind === 'list' || term.kind === 'sum' || (term.kind === 'name' && LIST_NAMES.has(term.name));

function buildSyntaxError({ text, at }: RuleReader, reason: string): Error {
  const token = at < text.length ? `'${text.slice(at, at + 20)}'` : 'the end';
  return errors.badValue(`Invalid domain of a rule at character ${at + 1} (${token}): ${reason}`);
}

/** Skips whitespace and comments. */
function skipBlank(reading: RuleReader): void {
  const { text } = reading;
  for (;;) {
    while (/\s/.test(text[reading.at] ?? '')) reading.at++;
    if (text[reading.at] !== '#') return;
    const end = text.indexOf('\n', reading.at);
    reading.at = end < 0 ? text.length : end;
  }
}

/** Consumes the character if it is the next one. */
function takeMark(reading: RuleReader, mark: string): boolean {
  skipBlank(reading);
  if (reading.text[reading.at] !== mark) return false;
  reading.at++;
  return true;
}

function readSum(reading: RuleReader, depth: number): RuleText {
  const parts = [readTerm(reading, depth)];
  for (;;) {
    skipBlank(reading);
    const from = { ...reading };
    if (!takeMark(reading, '+')) break;
    parts.push(readTerm(reading, depth));
    if (!parts.slice(-2).every(isListTerm)) throw buildSyntaxError(from, 'only lists can be added');
  }
  return parts.length === 1 ? parts[0]! : { kind: 'sum', parts };
}

function readTerm(reading: RuleReader, depth: number): RuleText {
  if (depth > limits.domain.depth) throw buildSyntaxError(reading, 'nested too deep');
  skipBlank(reading);
  const next = reading.text[reading.at] ?? '';
  if (next === '[' || next === '(') {
    reading.at++;
    return readItems(reading, next === '[' ? ']' : ')', depth);
  }
  if (next === '"' || next === "'") return { kind: 'value', value: readString(reading, next) };
  return /[-.\d]/.test(next) ? readNumber(reading) : readName(reading);
}

/** Parses the items in brackets. A single item in parentheses without a comma is that item, not a tuple. */
function readItems(reading: RuleReader, end: string, depth: number): RuleText {
  const items: RuleText[] = [];
  let hasComma = false;
  while (!takeMark(reading, end)) {
    if (items.length > 0 && !hasComma) throw buildSyntaxError(reading, `expected , or ${end}`);
    items.push(readSum(reading, depth + 1));
    hasComma = takeMark(reading, ',');
  }
  return end === ')' && items.length === 1 && !hasComma ? items[0]! : { kind: 'list', items };
}

const NUMBER_PATTERN = /-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y;

function readNumber(reading: RuleReader): RuleText {
  NUMBER_PATTERN.lastIndex = reading.at;
  const value = Number(NUMBER_PATTERN.exec(reading.text)?.[0] ?? Number.NaN);
  if (!Number.isFinite(value)) throw buildSyntaxError(reading, 'expected a number');
  reading.at = NUMBER_PATTERN.lastIndex;
  return { kind: 'value', value };
}

const NAME_PATTERN = /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/y;

function readName(reading: RuleReader): RuleText {
  NAME_PATTERN.lastIndex = reading.at;
  const name = NAME_PATTERN.exec(reading.text)?.[0];
  if (name === undefined) throw buildSyntaxError(reading, 'expected a list, a string, a number or a name');
  const from = { ...reading };
  reading.at += name.length;
  if (name === 'time.strftime') return readTime(reading);
  if (Object.hasOwn(RULE_CONSTANTS, name)) return { kind: 'value', value: RULE_CONSTANTS[name]! };
  if (Object.hasOwn(RULE_NAMES, name)) return { kind: 'name', name };
  throw buildSyntaxError(from, `unknown name; expected one of ${Object.keys(RULE_NAMES).join(', ')}`);
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const HEX_ESCAPE_LENGTHS: Record<string, number> = { x: 2, u: 4 };

function readString(reading: RuleReader, quote: string): string {
  const { text } = reading;
  const from = { ...reading };
  let value = '';
  for (reading.at++; reading.at < text.length; reading.at++) {
    const character = text[reading.at]!;
    if (character === quote) {
      reading.at++;
      return value;
    }
    if (character === '\n') break;
    value += character === '\\' ? readEscape(reading) : character;
  }
  throw buildSyntaxError(from, 'unterminated string');
}

function readEscape(reading: RuleReader): string {
  const letter = reading.text[++reading.at] ?? '';
  const digits = HEX_ESCAPE_LENGTHS[letter];
  if (digits === undefined) return ESCAPES[letter] ?? (/[\\'"/]/.test(letter) ? letter : `\\${letter}`);
  const hex = reading.text.slice(reading.at + 1, reading.at + 1 + digits);
  if (hex.length < digits || !/^[\da-fA-F]+$/.test(hex))
    throw buildSyntaxError(reading, 'incomplete escape sequence');
  reading.at += digits;
  return String.fromCharCode(Number.parseInt(hex, 16));
}

const TIME_PART = /%([YmdHMS%])/g;

/** `('%Y-%m-%d')` */
function readTime(reading: RuleReader): RuleText {
  if (!takeMark(reading, '(')) throw buildSyntaxError(reading, 'expected (');
  skipBlank(reading);
  const from = { ...reading };
  const quote = reading.text[reading.at];
  if (quote !== '"' && quote !== "'") throw buildSyntaxError(reading, 'expected a format string');
  const format = readString(reading, quote);
  if (format.replace(TIME_PART, '').includes('%'))
    throw buildSyntaxError(from, 'unknown format code; use only %Y, %m, %d, %H, %M and %S');
  if (!takeMark(reading, ')')) throw buildSyntaxError(reading, 'expected )');
  return { kind: 'time', format };
}

function formatTime(format: string, now: number): string {
  const [Y, m, d, H, M, S] = new Date(now).toISOString().split(/[-T:.]/);
  const parts: Record<string, string | undefined> = { Y, m, d, H, M, S, '%': '%' };
  return format.replace(TIME_PART, (_, letter: string) => parts[letter]!);
}
