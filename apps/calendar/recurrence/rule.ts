import rrule from 'rrule';
import { limits } from '../../../src/limits.ts';
import { errors, parseTimestamp, toWallClock } from '../../kit/surface.ts';
import { DAY_MS, formatWallDay } from '../wall-time.ts';

/** Maximum number of days, weeks, months or years between two occurrences. */
const MAX_INTERVAL = 999;

const { RRule } = rrule;

/** A recurrence rule as separate fields, which clients edit. */
export interface RecurrenceRule extends Record<(typeof WEEKDAYS)[number], boolean> {
  rrule_type: 'daily' | 'weekly' | 'monthly' | 'yearly';
  end_type: 'count' | 'end_date' | 'forever';
  interval: number;
  count: number;
  month_by: 'date' | 'day';
  day: number;
  weekday: string | null;
  byday: string | null;
  /** The last day, as `YYYY-MM-DD`. */
  until: string | null;
}

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

const WEEKDAY_CODES = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
const FREQUENCIES = { daily: 'DAILY', weekly: 'WEEKLY', monthly: 'MONTHLY', yearly: 'YEARLY' } as const;

export const RECURRENCE_FIELDS = [
  ...['rrule_type', 'end_type', 'interval', 'count', ...WEEKDAYS],
  ...['month_by', 'day', 'weekday', 'byday', 'until'],
] as const;

/** 0 is Monday. */
const getWeekday = (wallTime: number): number => (new Date(wallTime).getUTCDay() + 6) % 7;

/** Builds the default rule for an event that starts at the local time `wallTime`: weekly, without an end. */
export function buildWeeklyRule(wallTime: number): RecurrenceRule {
  const date = new Date(wallTime);
  const nth = Math.ceil(date.getUTCDate() / 7);
  const days = Object.fromEntries(WEEKDAYS.map((name, index) => [name, index === getWeekday(wallTime)]));
  return {
    ...(days as Record<(typeof WEEKDAYS)[number], boolean>),
    rrule_type: 'weekly',
    end_type: 'forever',
    interval: 1,
    count: 1,
    month_by: 'date',
    day: date.getUTCDate(),
    weekday: WEEKDAYS[getWeekday(wallTime)]!.toUpperCase(),
    byday: nth > 4 ? '-1' : String(nth),
    until: null,
  };
}

/** Formats the rule as an RRULE. `UNTIL` is the local end of the last day. */
export function formatRule(rule: RecurrenceRule, until: (day: string) => string = formatEndOfDay): string {
  const parts = [`FREQ=${FREQUENCIES[rule.rrule_type]}`];
  if (rule.interval > 1) parts.push(`INTERVAL=${rule.interval}`);
  if (rule.rrule_type === 'weekly')
    parts.push(`BYDAY=${getWeekdays(rule).map((weekday) => WEEKDAY_CODES[weekday])}`);
  if (rule.rrule_type === 'monthly')
    parts.push(
      rule.month_by === 'date'
        ? `BYMONTHDAY=${rule.day}`
        : `BYDAY=${rule.byday}${WEEKDAY_CODES[getMonthWeekday(rule)]}`,
    );
  if (rule.end_type === 'count') parts.push(`COUNT=${rule.count}`);
  if (rule.end_type === 'end_date' && rule.until) parts.push(`UNTIL=${until(rule.until)}`);
  return parts.join(';');
}

const formatEndOfDay = (day: string): string => `${day.replaceAll('-', '')}T235959`;

const getWeekdays = (rule: RecurrenceRule): number[] =>
  WEEKDAYS.flatMap((name, index) => (rule[name] ? [index] : []));

const getMonthWeekday = ({ weekday }: RecurrenceRule): number =>
  WEEKDAYS.findIndex((name) => name.toUpperCase() === weekday);

/** @throws VALIDATION if the rule has no occurrences or its interval is too long */
export function checkRecurrence(rule: RecurrenceRule): void {
  const reject = (reason: string): never => {
    throw errors.validation(`The recurrence cannot be saved: ${reason}`);
  };
  if (!(rule.interval >= 1 && rule.interval <= MAX_INTERVAL))
    reject(`interval must be from 1 to ${MAX_INTERVAL}.`);
  if (rule.rrule_type === 'weekly' && getWeekdays(rule).length === 0) reject('choose a day of the week.');
  if (rule.rrule_type === 'monthly' && rule.month_by === 'date' && !(rule.day >= 1 && rule.day <= 31))
    reject('day must be from 1 to 31.');
  if (rule.rrule_type === 'monthly' && rule.month_by === 'day' && !(rule.byday && rule.weekday))
    reject('weekday and byday are required.');
  if (rule.end_type === 'count' && !(rule.count >= 1)) reject('count must be at least 1.');
  if (rule.end_type === 'end_date' && !rule.until) reject('until is required.');
}

/** Range to search for occurrences. The next February 29, for example, can be up to eight years away. */
const MAX_AHEAD_MS = 100 * 366 * DAY_MS;

/**
 * Computes the local starts of the occurrences, from `start` on.
 * @param limit maximum number of occurrences
 * @throws VALIDATION if none exist
 */
export function computeOccurrences(
  rule: RecurrenceRule,
  start: number,
  limit: number = limits.calendar.occurrences,
): number[] {
  checkRecurrence(rule);
  const end =
    rule.end_type === 'end_date' && rule.until
      ? parseTimestamp(rule.until) + DAY_MS - 1
      : start + MAX_AHEAD_MS;
  const first = new Date(start);
  const recurrenceRule = new RRule({
    freq: RRule[FREQUENCIES[rule.rrule_type]],
    interval: rule.interval,
    dtstart: first,
    until: new Date(Math.min(end, start + MAX_AHEAD_MS)),
    byweekday: buildByWeekday(rule),
    bymonthday: rule.rrule_type === 'monthly' && rule.month_by === 'date' ? rule.day : null,
  });
  const maxCount = rule.end_type === 'count' ? Math.min(rule.count, limit) : limit;
  // The library drops milliseconds.
  return recurrenceRule.all((_, index) => index < maxCount).map((date) => date.getTime());
}

function buildByWeekday(rule: RecurrenceRule) {
  if (rule.rrule_type === 'weekly') return getWeekdays(rule).map((weekday) => RRule[WEEKDAY_CODES[weekday]!]);
  return rule.rrule_type === 'monthly' && rule.month_by === 'day'
    ? [RRule[WEEKDAY_CODES[getMonthWeekday(rule)]!].nth(Number(rule.byday))]
    : null;
}

/** Adapts a rule to a new local start. Shifts its days by the same number of days as the start. */
export function moveRule(rule: RecurrenceRule, from: number, to: number): RecurrenceRule {
  const days = Math.round((parseTimestamp(formatWallDay(to)) - parseTimestamp(formatWallDay(from))) / DAY_MS);
  if (days === 0) return rule;
  const { day, weekday, byday } = buildWeeklyRule(to);
  const isLastWeek = new Date(to + 7 * DAY_MS).getUTCMonth() !== new Date(to).getUTCMonth();
  const moved = WEEKDAYS.map((_, index) => rule[WEEKDAYS[(((index - days) % 7) + 7) % 7]!]);
  const weekdays = Object.fromEntries(WEEKDAYS.map((name, index) => [name, moved[index]!]));
  return { ...rule, ...weekdays, day, weekday, byday: rule.byday === '-1' && isLastWeek ? '-1' : byday };
}

/**
 * Parses an RRULE from another calendar.
 * @param start local start of the first occurrence
 * @throws VALIDATION if the fields cannot express the rule
 */
export function parseRule(text: string, start: number, tz: string): RecurrenceRule {
  const parts = parseParts(text);
  const rule = buildWeeklyRule(start);
  const frequency = Object.entries(FREQUENCIES).find(([, name]) => name === parts.get('FREQ'))?.[0];
  if (!frequency) throw createUnsupportedRuleError(text);
  rule.rrule_type = frequency as RecurrenceRule['rrule_type'];
  rule.interval = parseWholeNumber(text, parts.get('INTERVAL') ?? '1');
  readEnd(rule, parts, text, start, tz);
  readDays(rule, parts, text, start);
  checkRecurrence(rule);
  return rule;
}

const createUnsupportedRuleError = (text: string) =>
  errors.validation(`The recurrence rule ${JSON.stringify(text.slice(0, 200))} is not supported.`);

const KNOWN_PARTS = new Set([
  ...['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'BYDAY', 'BYMONTHDAY', 'BYMONTH', 'BYSETPOS', 'WKST'],
]);

function parseParts(text: string): Map<string, string> {
  const pairs = text
    .replace(/^RRULE:/i, '')
    .toUpperCase()
    .split(';')
    .filter(Boolean)
    .map((part) => part.split('=') as [string, string | undefined]);
  if (pairs.some(([name, value]) => !KNOWN_PARTS.has(name) || !value)) throw createUnsupportedRuleError(text);
  return new Map(pairs as [string, string][]);
}

function parseWholeNumber(text: string, value: string): number {
  if (!/^\d{1,6}$/.test(value)) throw createUnsupportedRuleError(text);
  return Number(value);
}

const UNTIL_PATTERN = /^(\d{4})(\d{2})(\d{2})(?:T(\d{2})(\d{2})(\d{2})(Z?))?$/;

function readEnd(
  rule: RecurrenceRule,
  parts: Map<string, string>,
  text: string,
  start: number,
  tz: string,
): void {
  const [count, end] = [parts.get('COUNT'), parts.get('UNTIL')];
  if (count) Object.assign(rule, { end_type: 'count', count: parseWholeNumber(text, count) });
  if (!end) return;
  const [, year, month, day, hour = '23', minute = '59', second = '59', zulu] = UNTIL_PATTERN.exec(end) ?? [];
  const time = parseTimestamp(`${year}-${month}-${day} ${hour}:${minute}:${second}`);
  if (Number.isNaN(time)) throw createUnsupportedRuleError(text);
  const wallTime = zulu ? toWallClock(time, tz) : time;
  // An UNTIL before the event's time of day excludes the occurrence on that day.
  const last = wallTime % DAY_MS < start % DAY_MS ? wallTime - DAY_MS : wallTime;
  Object.assign(rule, { end_type: 'end_date', until: formatWallDay(last) });
}

function readDays(rule: RecurrenceRule, parts: Map<string, string>, text: string, start: number): void {
  const days = (parts.get('BYDAY') ?? '').split(',').filter(Boolean);
  const matches = days.map((day) => /^([+-]?\d{1,2})?(MO|TU|WE|TH|FR|SA|SU)$/.exec(day));
  const isWeekly = rule.rrule_type === 'weekly';
  if (matches.some((match) => match === null || (isWeekly && match[1])))
    throw createUnsupportedRuleError(text);
  const names = matches.map((match) => WEEKDAY_CODES.indexOf(match![2] as (typeof WEEKDAY_CODES)[number]));
  const date = new Date(start);
  const fits = (name: string, value: number) => (parts.get(name) ?? String(value)) === String(value);
  switch (rule.rrule_type) {
    case 'daily':
      if (days.length || parts.has('BYMONTHDAY') || parts.has('BYMONTH') || parts.has('BYSETPOS'))
        throw createUnsupportedRuleError(text);
      return;
    case 'weekly':
      if (parts.has('BYMONTHDAY') || parts.has('BYMONTH') || parts.has('BYSETPOS'))
        throw createUnsupportedRuleError(text);
      // The first day of the week matters only if a rule has several weekdays and does not apply to every week.
      if (rule.interval > 1 && days.length > 1 && (parts.get('WKST') ?? 'MO') !== 'MO')
        throw createUnsupportedRuleError(text);
      if (names.length) for (const [index, name] of WEEKDAYS.entries()) rule[name] = names.includes(index);
      return;
    case 'monthly':
      readMonthly(rule, parts, text, matches[0]?.[1], names);
      return;
    case 'yearly':
      if (days.length || parts.has('BYSETPOS') || !fits('BYMONTHDAY', date.getUTCDate()))
        throw createUnsupportedRuleError(text);
      // Without BYMONTH, BYMONTHDAY selects a day of every month.
      if (parts.has('BYMONTHDAY') && !parts.has('BYMONTH')) throw createUnsupportedRuleError(text);
      if (!fits('BYMONTH', date.getUTCMonth() + 1)) throw createUnsupportedRuleError(text);
  }
}

function readMonthly(
  rule: RecurrenceRule,
  parts: Map<string, string>,
  text: string,
  ordinal: string | undefined,
  names: number[],
): void {
  const monthDay = parts.get('BYMONTHDAY');
  if (parts.has('BYMONTH') || names.length > 1 || (names.length && monthDay))
    throw createUnsupportedRuleError(text);
  if (names.length === 0) {
    if (parts.has('BYSETPOS')) throw createUnsupportedRuleError(text);
    rule.day = monthDay ? parseWholeNumber(text, monthDay) : rule.day;
    return;
  }
  const byday = (ordinal ?? parts.get('BYSETPOS') ?? '').replace('+', '');
  if (!['1', '2', '3', '4', '-1'].includes(byday)) throw createUnsupportedRuleError(text);
  Object.assign(rule, { month_by: 'day', byday, weekday: WEEKDAYS[names[0]!]!.toUpperCase() });
}
