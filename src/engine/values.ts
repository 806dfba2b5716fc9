import { errors } from '../errors.ts';
import { isInstant } from './instant.ts';
import type { Field, Model } from './model.ts';
import { numberOf } from './number.ts';

const DATETIME = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?(\.\d{1,6})?)?$/;
const INT_MAX = 2147483647;

/**
 * A value as a caller gave it, in the form its column takes; `false` and null mean unset.
 * @throws BAD_VALUE when the value does not fit the field; nothing is ever cut or cleared in silence
 */
export function toColumn(model: Model, field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return unset(model, field);
  if (value === false && field.type !== 'boolean') return unset(model, field);
  if (value === '' && EMPTY_IS_UNSET.has(field.type)) return unset(model, field);
  switch (field.type) {
    case 'boolean':
      return toBoolean(model, field, value);
    case 'integer':
    case 'many2one':
      return toInteger(model, field, value);
    case 'float':
    case 'monetary':
      return toNumber(model, field, value);
    case 'date':
    case 'datetime':
      return toDate(model, field, value);
    case 'selection':
      return toSelection(model, field, value);
    case 'binary':
      return toBytes(model, field, value);
    case 'json':
      return JSON.stringify(value);
    case 'strings':
      if (!Array.isArray(value) || value.some((v) => typeof v !== 'string')) throw wrong(model, field, value);
      return value;
    default:
      return toText(model, field, value);
  }
}

/** What has no empty value of its own: forms send '' for "nothing chosen". */
const EMPTY_IS_UNSET: ReadonlySet<string> = new Set(['date', 'datetime', 'selection']);

function unset(model: Model, field: Field): unknown {
  if (field.type === 'boolean') return false;
  if (!field.required) return null;
  if (field.type === 'integer' || field.type === 'float' || field.type === 'monetary') return 0;
  throw errors.validation(
    `The operation cannot be completed: Missing required value for the field '${field.label}' (${field.name}).\nModel: '${model.label}' (${model.name})\n- create/update: a mandatory field is not set`,
  );
}

const wrong = (model: Model, field: Field, value: unknown) =>
  errors.wrongValue(model.name, field.name, value);

function toBoolean(model: Model, field: Field, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1) return value === 1;
  throw wrong(model, field, value);
}

function toNumber(model: Model, field: Field, value: unknown): number {
  const number = typeof value === 'string' ? numberOf(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw wrong(model, field, value);
  return number;
}

function toInteger(model: Model, field: Field, value: unknown): number {
  // A relation takes an id and nothing that merely looks like one.
  if (field.type === 'many2one' && typeof value !== 'number') throw wrong(model, field, value);
  const number = toNumber(model, field, value);
  if (!Number.isInteger(number) || Math.abs(number) > INT_MAX) throw wrong(model, field, value);
  return number;
}

/** UTC; a date takes the day of a time, a datetime takes a day as its midnight. */
function toDate(model: Model, field: Field, value: unknown): string {
  const [, day, minute = '00:00', second = ':00', fraction = ''] =
    (typeof value === 'string' && DATETIME.exec(value)) || [];
  const whole = `${day} ${minute}${second}`;
  if (!day || !isInstant(whole)) throw wrong(model, field, value);
  return field.type === 'date' ? day : whole + fraction;
}

function toSelection(model: Model, field: Field, value: unknown): unknown {
  if (!field.selection!.some(([known]) => known === value)) throw wrong(model, field, value);
  return value;
}

function toBytes(model: Model, field: Field, value: unknown): Buffer {
  const packed = typeof value === 'string' ? value.replace(/\s+/g, '') : null;
  const body = packed?.replace(/={1,2}$/, '');
  if (body === undefined || /[^A-Za-z0-9+/]/.test(body) || body.length % 4 === 1)
    throw wrong(model, field, value);
  return Buffer.from(body, 'base64');
}

function toText(model: Model, field: Field, value: unknown): string {
  if (typeof value === 'object') throw wrong(model, field, value);
  const text = String(value);
  if (text.includes('\0'))
    throw errors.badValue(
      `Wrong value for ${model.name}.${field.name}: text may not contain a NUL character`,
    );
  if (field.required && text.trim() === '') return unset(model, field) as string;
  return text;
}
