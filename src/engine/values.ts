import { errors } from '../errors.ts';
import type { Field, Model } from './model.ts';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const DATETIME = /^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?)?$/;
const INT_MAX = 2147483647;

/**
 * A value as a caller gave it, in the form its column takes; `false` and null mean unset.
 * @throws BAD_VALUE when the value does not fit the field; nothing is ever cut or cleared in silence
 */
export function toColumn(model: Model, field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return unset(model, field);
  if (value === false && field.type !== 'boolean') return unset(model, field);
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

function unset(model: Model, field: Field): unknown {
  if (field.type === 'boolean') return false;
  if (!field.required) return null;
  if (field.type === 'integer' || field.type === 'float' || field.type === 'monetary') return 0;
  throw errors.validation(
    `The operation cannot be completed: Missing required value for the field '${field.label}' (${field.name}).\nModel: '${model.label}' (${model.name})\n- create/update: a mandatory field is not set`,
  );
}

const wrong = (model: Model, field: Field, value: unknown) =>
  errors.badValue(`Wrong value for ${model.name}.${field.name}: ${JSON.stringify(value)?.slice(0, 100)}`);

function toBoolean(model: Model, field: Field, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1) return value === 1;
  throw wrong(model, field, value);
}

function toNumber(model: Model, field: Field, value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
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

function toDate(model: Model, field: Field, value: unknown): string {
  const form = field.type === 'date' ? DATE : DATETIME;
  const text = field.type === 'date' && typeof value === 'string' ? value.slice(0, 10) : value;
  if (typeof text !== 'string' || !form.test(text) || Number.isNaN(Date.parse(text.slice(0, 10))))
    throw wrong(model, field, value);
  return text;
}

function toSelection(model: Model, field: Field, value: unknown): unknown {
  if (!field.selection!.some(([known]) => known === value)) throw wrong(model, field, value);
  return value;
}

function toBytes(model: Model, field: Field, value: unknown): Buffer {
  if (typeof value !== 'string' || !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(value))
    throw wrong(model, field, value);
  return Buffer.from(value, 'base64');
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
