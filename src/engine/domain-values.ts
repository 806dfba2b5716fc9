import { errors } from '../errors.ts';
import type { ColumnOperator } from './domain.ts';
import { isInstant, oneSecondLater, startOfDay } from './instant.ts';
import type { Field } from './model.ts';
import { numberOf } from './number.ts';

// Values of conditions, in the form their columns take. `item` is the condition, for the words of a refusal.

export const isNumber = (field: Field): boolean =>
  field.type === 'integer' || field.type === 'float' || field.type === 'monetary';

export const isText = (field: Field): boolean => ['char', 'text', 'html', 'selection'].includes(field.type);

/** What a column is compared with, and how. */
interface Comparand {
  operator: ColumnOperator;
  value: unknown;
}

/** For `< > <= >=`. @throws BAD_VALUE when the value does not fit the field */
export function comparand(
  field: Field,
  operator: ColumnOperator,
  value: unknown,
  tz: string,
  item: unknown,
): Comparand {
  if (field.type === 'datetime') return instantComparand(operator, value, tz, item);
  if (field.type === 'integer') return { operator, value: wholeBound(operator, number(value, item)) };
  return { operator, value: isText(field) ? String(value) : scalar(field, value, tz, item) };
}

/** Whole numbers below 5.5 are those below 6. */
const wholeBound = (operator: ColumnOperator, value: number): number =>
  inRange(operator === '<' || operator === '>=' ? Math.ceil(value) : Math.floor(value));

/**
 * A value names a whole second, or with no time the whole day of the reader: "after" begins when it is over, "until"
 * takes it in.
 */
function instantComparand(operator: ColumnOperator, value: unknown, tz: string, item: unknown): Comparand {
  const text = date(value, item);
  const isDay = text.length === 10;
  if (operator !== '>' && operator !== '<=') return { operator, value: isDay ? startOfDay(text, tz) : text };
  const after = isDay ? startOfDay(text, tz, 1) : oneSecondLater(text);
  return { operator: operator === '>' ? '>=' : '<', value: after };
}

/** A value in the form its column takes; null stands for "not set". */
export function scalar(field: Field, value: unknown, tz: string, item: unknown): unknown {
  if (value === null || value === undefined) return field.type === 'boolean' ? false : null;
  if (field.type === 'boolean') return Boolean(value);
  if (value === false) return isNumber(field) ? 0 : null;
  if (field.name === 'id' || field.type === 'integer' || field.type === 'many2one')
    return integer(value, item);
  if (isNumber(field)) return number(value, item);
  if (field.type === 'date') return date(value, item).slice(0, 10);
  if (field.type === 'datetime') return instant(value, tz, item);
  return value === '' ? null : String(value);
}

function number(value: unknown, item: unknown): number {
  const parsed = typeof value === 'string' ? numberOf(value) : Number(value);
  if (!Number.isFinite(parsed)) throw errors.invalidCondition('number', String(value).slice(0, 40), item);
  return parsed;
}

export const integer = (value: unknown, item: unknown): number => inRange(Math.trunc(number(value, item)));

/** Postgres would refuse a parameter outside of its type; nothing can equal it, so the nearest edge is as good. */
const inRange = (whole: number): number => Math.max(-2147483648, Math.min(2147483647, whole));

function instant(value: unknown, tz: string, item: unknown): string {
  const text = date(value, item);
  return text.length === 10 ? startOfDay(text, tz) : text;
}

const DATE = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?(?:\.\d+)?)?$/;

/** `YYYY-MM-DD` or `YYYY-MM-DD HH:MM:SS`, UTC and without an offset; a second is the finest there is. */
function date(value: unknown, item: unknown): string {
  const [, day, minute, second = ':00'] = (typeof value === 'string' && DATE.exec(value)) || [];
  const text = minute ? `${day} ${minute}${second}` : day;
  if (!text || !isInstant(text)) throw errors.invalidCondition('date', String(value).slice(0, 40), item);
  return text;
}
