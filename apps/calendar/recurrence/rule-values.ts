import { isInstant } from '../../../src/engine/value/instant.ts';
import { errors, isSet, type Values } from '../../kit/surface.ts';
import { DAY_MS } from '../wall-time.ts';
import { buildWeeklyRule, parseRule, RECURRENCE_FIELDS, type RecurrenceRule, WEEKDAYS } from './rule.ts';

export const hasRule = (values: Values): boolean =>
  isSet(values.rrule) || RECURRENCE_FIELDS.some((name) => values[name] !== undefined);

/** Start of a recurrence in local time. */
interface RuleStart {
  wallTime: number;
  tz: string;
  allday: boolean;
}

export function buildRule(
  values: Values,
  { wallTime, tz, allday }: RuleStart,
  before: RecurrenceRule | null = null,
): RecurrenceRule {
  // In other calendars, all-day events start at midnight, so an UNTIL at midnight includes its day.
  if (isSet(values.rrule))
    return parseRule(String(values.rrule), allday ? wallTime - (wallTime % DAY_MS) : wallTime, tz);
  const rule: RecurrenceRule = { ...(before ?? buildWeeklyRule(wallTime)) };
  if (!before) {
    if (isSet(values.count)) rule.end_type = 'count';
    else if (isSet(values.until)) rule.end_type = 'end_date';
    if (WEEKDAYS.some((name) => values[name] === true)) for (const name of WEEKDAYS) rule[name] = false;
  }
  for (const name of RECURRENCE_FIELDS) {
    const value = values[name];
    if (value === undefined || (value === false && !(before && WEEKDAY_NAMES.has(name)))) continue;
    if (!CHECKS[name](value)) throw errors.wrongValue('calendar.event', name, value);
    Object.assign(rule, { [name]: name === 'until' ? String(value).slice(0, 10) : value });
  }
  return rule;
}

const WEEKDAY_NAMES: ReadonlySet<string> = new Set(WEEKDAYS);

type Check = (value: unknown) => boolean;

const createOneOfCheck =
  (...allowed: string[]): Check =>
  (value) =>
    allowed.includes(value as string);
const isWhole: Check = (value) => Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;
const isBoolean: Check = (value) => typeof value === 'boolean';

const CHECKS: Record<(typeof RECURRENCE_FIELDS)[number], Check> = {
  rrule_type: createOneOfCheck('daily', 'weekly', 'monthly', 'yearly'),
  end_type: createOneOfCheck('count', 'end_date', 'forever'),
  interval: isWhole,
  count: isWhole,
  mon: isBoolean,
  tue: isBoolean,
  wed: isBoolean,
  thu: isBoolean,
  fri: isBoolean,
  sat: isBoolean,
  sun: isBoolean,
  month_by: createOneOfCheck('date', 'day'),
  day: isWhole,
  weekday: createOneOfCheck('MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'),
  byday: createOneOfCheck('1', '2', '3', '4', '-1'),
  until: (value) => typeof value === 'string' && value.length >= 10 && isInstant(value.slice(0, 10)),
};
