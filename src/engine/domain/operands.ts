import { errors } from '../../errors.ts';
import { formatValue } from '../../json.ts';
import { type Field, isFractionField, isNumberField, isTextField } from '../model/field.ts';
import { addSecond, getStartOfDay, isInstant } from '../value/instant.ts';
import { parseDecimal } from '../value/number.ts';
import { type Moment, parseRelativeDate, type ReaderTime } from '../value/relative-date.ts';
import type { ColumnOperator } from './node.ts';

// Converts condition values to the format of their columns. `item` is the condition, for error messages.

export const isUnset = (value: unknown): boolean => value === false || value === null || value === undefined;

interface Comparand {
  operator: ColumnOperator;
  value: unknown;
}

/**
 * Parses the operand of `<`, `>`, `<=` or `>=`.
 * @throws BAD_VALUE if the value does not fit the field
 */
export function parseComparand(
  field: Field,
  operator: ColumnOperator,
  value: unknown,
  clock: ReaderTime,
  item: unknown,
): Comparand {
  if (field.type === 'date') return { operator, value: parseMoment(value, clock, item).day };
  if (field.type === 'datetime')
    return buildInstantComparand(operator, parseMoment(value, clock, item), clock.tz);
  if (isTextField(field)) return { operator, value: parseText(value, item) };
  const number = parseNumber(value, item);
  return { operator, value: isFractionField(field) ? number : toWholeBound(operator, number) };
}

/** Rounds the bound of an integer comparison: `< 5.5` becomes `< 6`. */
function toWholeBound(operator: ColumnOperator, value: number): number {
  const integer = operator === '<' || operator === '>=' ? Math.ceil(value) : Math.floor(value);
  return Math.max(Number.MIN_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, integer));
}

/**
 * A time stands for the whole second, and a date for the reader's whole day. Therefore, `>` starts after that period,
 * and `<=` includes all of it.
 */
function buildInstantComparand(operator: ColumnOperator, { day, instant }: Moment, tz: string): Comparand {
  if (operator !== '>' && operator !== '<=') return { operator, value: instant ?? getStartOfDay(day, tz) };
  const after = instant === null ? getStartOfDay(day, tz, 1) : addSecond(instant);
  return { operator: operator === '>' ? '>=' : '<', value: after };
}

/**
 * Converts the values of a list. Drops values that the field cannot have. Null means "not set".
 * @throws BAD_VALUE if a value does not fit the field
 */
export const parseScalars = (field: Field, values: unknown[], clock: ReaderTime, item: unknown): unknown[] =>
  values.map((value) => parseScalar(field, value, clock, item)).filter((value) => value !== undefined);

/** Returns undefined for a value that no record can have. */
function parseScalar(field: Field, value: unknown, clock: ReaderTime, item: unknown): unknown {
  if (field.type === 'boolean') return isUnset(value) ? false : parseFlag(value, item);
  if (isUnset(value)) return isNumberField(field) && field.name !== 'id' ? 0 : null;
  if (field.name === 'id' || field.relation) return parseId(value, item);
  if (isFractionField(field)) return parseNumber(value, item);
  if (isNumberField(field)) return toSafeInteger(Math.trunc(parseNumber(value, item)));
  if (field.type === 'date') return parseMoment(value, clock, item).day;
  if (field.type === 'datetime') return toInstant(parseMoment(value, clock, item), clock.tz);
  return value === '' ? null : parseText(value, item);
}

const toInstant = ({ day, instant }: Moment, tz: string): string => instant ?? getStartOfDay(day, tz);

/**
 * Returns undefined for an id that no record can have.
 * @throws BAD_VALUE if the value is not a number
 */
export function parseId(value: unknown, item: unknown): number | undefined {
  if (typeof value === 'boolean') throw errors.invalidCondition('id', String(value), item);
  const id = parseNumber(value, item);
  return Number.isInteger(id) ? toSafeInteger(id) : undefined;
}

const toSafeInteger = (value: number): number | undefined =>
  Number.isSafeInteger(value) ? value : undefined;

/** @throws BAD_VALUE if the value is not a finite number or numeric text */
export function parseNumber(value: unknown, item: unknown): number {
  const parsed = typeof value === 'boolean' ? Number(value) : parseDecimal(formatValue(value));
  if (!Number.isFinite(parsed))
    throw errors.invalidCondition('number', formatValue(value).slice(0, 40), item);
  return parsed;
}

/** @throws BAD_VALUE for a NUL character, which PostgreSQL cannot store */
export function parseText(value: unknown, item: unknown): string {
  const text = formatValue(value);
  if (text.includes('\0')) throw errors.invalidCondition('text with', 'a NUL character', item);
  return text;
}

const FLAG_WORDS: Record<string, boolean> = {};
for (const word of ['true', '1', 'yes', 'y', 't', 'on']) FLAG_WORDS[word] = true;
for (const word of ['false', '0', 'no', 'n', 'f', 'off', '']) FLAG_WORDS[word] = false;

/** Accepts boolean strings, because forms and n8n send `"false"`. */
function parseFlag(value: unknown, item: unknown): boolean {
  if (typeof value !== 'string') return Boolean(value);
  const word = value.trim().toLowerCase();
  if (!Object.hasOwn(FLAG_WORDS, word))
    throw errors.invalidCondition('boolean', formatValue(value).slice(0, 40), item);
  return FLAG_WORDS[word]!;
}

const DATE_PATTERN = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?(?:[.,]\d+)?)?$/;
const OFFSET_PATTERN = /^\d+-\d\d-\d\d[ T][\d:.,]+(?:Z|[+-][\d:]+)$/i;

/**
 * Parses `YYYY-MM-DD`, `YYYY-MM-DD HH:MM:SS` (UTC, without an offset; fractions of a second are ignored) or a relative
 * date.
 * @throws BAD_VALUE for anything else
 */
export function parseMoment(value: unknown, clock: ReaderTime, item: unknown): Moment {
  if (typeof value !== 'string') throw errors.invalidDate('date', formatValue(value).slice(0, 40), item);
  const moment = /^\d+-/.test(value) ? parseIsoMoment(value) : parseRelativeDate(value, clock);
  if (moment) return moment;
  const expectedType = OFFSET_PATTERN.test(value) ? 'date (times are UTC, without an offset)' : 'date';
  throw errors.invalidDate(expectedType, formatValue(value).slice(0, 40), item);
}

function parseIsoMoment(value: string): Moment | null {
  const [, day, minute, second = ':00'] = DATE_PATTERN.exec(value) ?? [];
  if (!day) return null;
  const instant = minute ? `${day} ${minute}${second}` : null;
  return isInstant(instant ?? day) ? { day, instant } : null;
}
