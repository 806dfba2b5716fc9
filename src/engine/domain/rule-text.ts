import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Principal } from '../model/principal.ts';
import type { Domain } from './condition.ts';

/**
 * The text of a record rule, as ir.rule holds it: a Python literal (JSON will do too) with the few names of NAMES, sums
 * of lists, and `time.strftime` for the day. It is parsed and filled in, never run.
 */
export type RuleText =
  | { kind: 'value'; value: string | number | boolean | null }
  | { kind: 'list'; items: RuleText[] }
  | { kind: 'name'; name: string }
  | { kind: 'sum'; parts: RuleText[] }
  | { kind: 'time'; format: string };

/** Who a rule may speak of. */
export type Who = Pick<
  Principal,
  'userId' | 'partnerId' | 'companyId' | 'companyIds' | 'login' | 'name' | 'lang' | 'tz'
>;

/** No record has it: a rule about a user or a company that is not there lets nothing through. */
const NO_ID = 0;

const NAMES: Record<string, (who: Who) => unknown> = {
  'user.id': (who) => who.userId ?? NO_ID,
  'user.ids': (who) => present(who.userId),
  'user.partner_id.id': (who) => who.partnerId ?? NO_ID,
  'user.partner_id.ids': (who) => present(who.partnerId),
  'user.company_id.id': (who) => who.companyId ?? NO_ID,
  'user.company_id.ids': (who) => present(who.companyId),
  'user.company_ids': (who) => [...who.companyIds],
  'user.company_ids.ids': (who) => [...who.companyIds],
  'user.login': (who) => who.login,
  'user.name': (who) => who.name,
  'user.lang': (who) => who.lang,
  'user.tz': (who) => who.tz,
  company_id: (who) => who.companyId ?? NO_ID,
  company_ids: (who) => [...who.companyIds],
};
const LISTS = new Set([...Object.keys(NAMES).filter((name) => name.endsWith('ids')), 'user.company_ids']);
const present = (id: number | null): number[] => (id === null ? [] : [id]);

const CONSTANTS: Record<string, boolean | null> = {
  True: true,
  False: false,
  None: null,
  true: true,
  false: false,
  null: null,
};

/**
 * The domain that a rule means for a principal.
 * @param now milliseconds, for rules that speak of the day (UTC)
 */
export const evaluateRule = (rule: RuleText, who: Who, now = Date.now()): Domain =>
  fill(rule, who, now) as Domain;

function fill(term: RuleText, who: Who, now: number): unknown {
  if (term.kind === 'value') return term.value;
  if (term.kind === 'name') return NAMES[term.name]!(who);
  if (term.kind === 'time') return timeText(term.format, now);
  if (term.kind === 'list') return term.items.map((item) => fill(item, who, now));
  return term.parts.flatMap((part) => fill(part, who, now) as unknown[]);
}

interface Reading {
  text: string;
  at: number;
}

/**
 * Empty text is the rule that lets everything through.
 * @throws BAD_VALUE for a text that is too long, or with the place of what is not understood
 */
export function parseRuleText(text: string): RuleText {
  if (text.length > limits.domain.text)
    throw errors.badValue(`The text is too long: it may have ${limits.domain.text} characters.`);
  const reading: Reading = { text, at: 0 };
  skipBlank(reading);
  if (reading.at === text.length) return { kind: 'list', items: [] };
  const rule = readSum(reading, 0);
  skipBlank(reading);
  if (reading.at < text.length) throw refusal(reading, 'nothing more was expected');
  if (!isList(rule)) throw refusal({ text, at: 0 }, 'a domain is a list of conditions');
  return rule;
}

const isList = (term: RuleText): boolean =>
  term.kind === 'list' || term.kind === 'sum' || (term.kind === 'name' && LISTS.has(term.name));

function refusal({ text, at }: Reading, why: string): Error {
  const found = at < text.length ? `'${text.slice(at, at + 20)}'` : 'the end';
  return errors.badValue(`Invalid domain of a rule at character ${at + 1} (${found}): ${why}`);
}

/** Blanks and comments. */
function skipBlank(reading: Reading): void {
  const { text } = reading;
  for (;;) {
    while (/\s/.test(text[reading.at] ?? '')) reading.at++;
    if (text[reading.at] !== '#') return;
    const end = text.indexOf('\n', reading.at);
    reading.at = end < 0 ? text.length : end;
  }
}

/** Takes the mark when it comes next. */
function take(reading: Reading, mark: string): boolean {
  skipBlank(reading);
  if (reading.text[reading.at] !== mark) return false;
  reading.at++;
  return true;
}

function readSum(reading: Reading, depth: number): RuleText {
  const parts = [readTerm(reading, depth)];
  for (;;) {
    skipBlank(reading);
    const from = { ...reading };
    if (!take(reading, '+')) break;
    parts.push(readTerm(reading, depth));
    if (!parts.slice(-2).every(isList)) throw refusal(from, 'only lists can be joined');
  }
  return parts.length === 1 ? parts[0]! : { kind: 'sum', parts };
}

function readTerm(reading: Reading, depth: number): RuleText {
  if (depth > limits.domain.depth) throw refusal(reading, 'nested too deep');
  skipBlank(reading);
  const next = reading.text[reading.at] ?? '';
  if (next === '[' || next === '(') {
    reading.at++;
    return readItems(reading, next === '[' ? ']' : ')', depth);
  }
  if (next === '"' || next === "'") return { kind: 'value', value: readString(reading, next) };
  return /[-.\d]/.test(next) ? readNumber(reading) : readName(reading);
}

/** What stands in brackets. One term in round ones without a comma is that term. */
function readItems(reading: Reading, end: string, depth: number): RuleText {
  const items: RuleText[] = [];
  let hasComma = false;
  while (!take(reading, end)) {
    if (items.length > 0 && !hasComma) throw refusal(reading, `expected , or ${end}`);
    items.push(readSum(reading, depth + 1));
    hasComma = take(reading, ',');
  }
  return end === ')' && items.length === 1 && !hasComma ? items[0]! : { kind: 'list', items };
}

const NUMBER = /-?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])/y;

function readNumber(reading: Reading): RuleText {
  NUMBER.lastIndex = reading.at;
  const value = Number(NUMBER.exec(reading.text)?.[0] ?? Number.NaN);
  if (!Number.isFinite(value)) throw refusal(reading, 'a number was expected');
  reading.at = NUMBER.lastIndex;
  return { kind: 'value', value };
}

const NAME = /[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*/y;

function readName(reading: Reading): RuleText {
  NAME.lastIndex = reading.at;
  const name = NAME.exec(reading.text)?.[0];
  if (name === undefined) throw refusal(reading, 'a list, a text, a number or a name was expected');
  const from = { ...reading };
  reading.at += name.length;
  if (name === 'time.strftime') return readTime(reading);
  if (Object.hasOwn(CONSTANTS, name)) return { kind: 'value', value: CONSTANTS[name]! };
  if (Object.hasOwn(NAMES, name)) return { kind: 'name', name };
  throw refusal(from, `unknown name; there are ${Object.keys(NAMES).join(', ')}`);
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
const HEX: Record<string, number> = { x: 2, u: 4 };

function readString(reading: Reading, quote: string): string {
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
  throw refusal(from, 'a text without an end');
}

/** The character that a backslash and what follows it stand for. */
function readEscape(reading: Reading): string {
  const letter = reading.text[++reading.at] ?? '';
  const digits = HEX[letter];
  if (digits === undefined) return ESCAPES[letter] ?? (/[\\'"/]/.test(letter) ? letter : `\\${letter}`);
  const hex = reading.text.slice(reading.at + 1, reading.at + 1 + digits);
  if (hex.length < digits || !/^[\da-fA-F]+$/.test(hex)) throw refusal(reading, 'an escape is incomplete');
  reading.at += digits;
  return String.fromCharCode(Number.parseInt(hex, 16));
}

const TIME_PART = /%([YmdHMS%])/g;

/** `('%Y-%m-%d')` */
function readTime(reading: Reading): RuleText {
  if (!take(reading, '(')) throw refusal(reading, 'expected (');
  skipBlank(reading);
  const from = { ...reading };
  const quote = reading.text[reading.at];
  if (quote !== '"' && quote !== "'") throw refusal(reading, 'a format was expected');
  const format = readString(reading, quote);
  if (format.replace(TIME_PART, '').includes('%'))
    throw refusal(from, 'of a format only %Y %m %d %H %M %S are known');
  if (!take(reading, ')')) throw refusal(reading, 'expected )');
  return { kind: 'time', format };
}

function timeText(format: string, now: number): string {
  const [Y, m, d, H, M, S] = new Date(now).toISOString().split(/[-T:.]/);
  const parts: Record<string, string | undefined> = { Y, m, d, H, M, S, '%': '%' };
  return format.replace(TIME_PART, (_, letter: string) => parts[letter]!);
}
