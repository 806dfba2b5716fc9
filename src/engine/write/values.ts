import { errors } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { assertFieldAccess } from '../access/access.ts';
import { getOtherLanguage } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { buildCompanyKey } from '../model/company-values.ts';
import { defaultsToZero, type Field, isListField, isNumberField } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { buildTranslationKey, isTranslated } from '../model/translations.ts';
import { isInstant } from '../value/instant.ts';
import { parseDecimal, roundToPlaces } from '../value/number.ts';
import { copySanitizedHtml, getSanitizedHtml, toUnsafeHtml, UnsafeHtml } from './html.ts';
import type { WritableRow } from './row.ts';

/**
 * Maximum characters of a `char` field, unless the field has a lower limit. Longer strings belong in a `text` field.
 */
export const MAX_CHAR_FIELD_CHARS = 1024 * 1024;

/** Fields that callers may send, but that are never written. */
export const IGNORED_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'display_name',
  'create_uid',
  'create_date',
  'write_uid',
  'write_date',
  'parent_path',
]);

/** Names of the values that hooks have set, by the object that contains the values. */
const ownNames = new WeakMap<Values, Set<string>>();

/** Sets values for a hook, including read-only and secret fields that callers may not set. */
export function setHookValues(values: Values, extra: Values): void {
  Object.assign(values, extra);
  ownNames.set(values, new Set([...(ownNames.get(values) ?? []), ...Object.keys(extra)]));
}

export const isHookValue = (values: Values, name: string): boolean =>
  ownNames.get(values)?.has(name) ?? false;

/** Copies an object of field values. @throws BAD_VALUE for any other type */
export function parseValues(input: unknown): Values {
  if (!isObject(input)) throw errors.badValue('values must be an object whose keys are field names');
  return copySanitizedHtml(input, { ...input });
}

/** Types whose values may be objects or arrays. */
const COMPOSITE_TYPES: ReadonlySet<string> = new Set([
  ...['json', 'properties', 'properties_definition', 'strings', 'one2many', 'many2many'],
]);
const TEXT_TYPES: ReadonlySet<string> = new Set(['char', 'text', 'html']);

/**
 * Prepares values for hooks, which run before the conversion to columns: text values become strings, and only composite
 * types may contain objects or arrays.
 * @throws BAD_VALUE
 */
export function normalizeValuesForHooks(model: Model, values: Values): void {
  for (const [name, value] of Object.entries(values)) {
    const field = model.fields.get(name);
    if (!field || IGNORED_FIELDS.has(name) || field.related || field.computed) continue;
    if (hasParts(value, field) && !COMPOSITE_TYPES.has(field.type))
      throw buildValueError(model, field, value);
    if (field.type === 'strings') toColumn(model, field, value);
    if (TEXT_TYPES.has(field.type) && (typeof value === 'number' || value === true))
      values[name] = String(value);
  }
}

/** Some models accept a list in a text field, such as a domain. */
const hasParts = (value: unknown, field: Field): boolean =>
  isObject(value) || (Array.isArray(value) && field.type !== 'text');

/**
 * Converts a caller's values to a row. Pass the row to `sanitizeRows` before writing it.
 * @throws BAD_VALUE for an unknown field or an invalid value, ACCESS_ERROR for a field that the caller may not set,
 * VALIDATION if a required value is missing
 */
export function buildWritableRow(
  ctx: Ctx,
  model: Model,
  values: Values,
  operation: 'create' | 'write',
): WritableRow {
  const row: WritableRow = {
    columns: new Map(),
    custom: {},
    files: new Map(),
    lists: [],
    loose: new Map(),
    fractional: false,
    indexed: false,
    pending: [],
  };
  // The first value of a new record is the source text, regardless of its language.
  const lang = operation === 'write' ? getOtherLanguage(ctx) : null;
  const company = ctx.principal?.companyId ?? null;
  for (const [name, value] of Object.entries(values)) {
    if (IGNORED_FIELDS.has(name)) continue;
    const field = model.fields.get(name);
    if (!field) throw errors.unknownField(name, model.name, 'in');
    if (!isWritable(ctx, model, field, operation, ownNames.get(values)?.has(name))) continue;
    if (isListField(field)) row.lists.push({ field, value });
    else {
      const columnValue =
        lang && removesTranslation(model, field, value) ? null : toColumn(model, field, value);
      setColumn(
        row,
        model,
        field,
        reuseSanitized(ctx, values, name, columnValue),
        getVariantKey(model, field, lang, company),
      );
    }
  }
  if (operation === 'create') fillRequiredColumns(row, model);
  stampLogFields(ctx, model, row, operation);
  return row;
}

function reuseSanitized(ctx: Ctx, values: Values, name: string, column: unknown): unknown {
  if (!(column instanceof UnsafeHtml)) return column;
  const { html } = column;
  return getSanitizedHtml(values, name, html) ?? getSanitizedHtml(ctx.context.defaults, name, html) ?? column;
}

/**
 * Returns false for a field without a column, whose value derives from other fields.
 * @throws ACCESS_ERROR
 */
function isWritable(
  ctx: Ctx,
  model: Model,
  field: Field,
  operation: 'create' | 'write',
  isOwn = false,
): boolean {
  if (!isOwn) assertFieldAccess(ctx, model, field, operation);
  if (field.related || field.computed) return false;
  if (ctx.sudo || isOwn) return true;
  if (field.secret) throw errors.fieldAccess(field.name, model.label, model.name, operation);
  if (field.readonly)
    throw errors.readonlyField(field.label, field.name, model.name, model.options.setBy?.[field.name] ?? []);
  return true;
}

/** A translation can be removed even if the field is required, because the source text then applies. */
const removesTranslation = (model: Model, field: Field, value: unknown): boolean =>
  (value === false || value === null) && isTranslated(model, field);

/**
 * Returns the JSON key that stores a translation or a company-specific value, or null if the value is stored in the
 * field's column.
 */
function getVariantKey(
  model: Model,
  field: Field,
  lang: string | null,
  company: number | null,
): string | null {
  if (lang && isTranslated(model, field)) return buildTranslationKey(field, lang);
  return field.ofCompanies && company !== null ? buildCompanyKey(field.name, company) : null;
}

/** @param extraColumn key in the row's JSON that stores the value instead of the column */
function setColumn(
  row: WritableRow,
  model: Model,
  field: Field,
  column: unknown,
  extraColumn: string | null = null,
): void {
  if (column instanceof UnsafeHtml)
    row.pending.push({ unsafe: column, store: (clean) => setColumn(row, model, field, clean, extraColumn) });
  if (extraColumn !== null) {
    row.custom[extraColumn] = column;
    return;
  }
  recordEffects(row, field, column);
  if (!field.custom) {
    row.columns.set(field, column);
    return;
  }
  row.indexed ||= field.custom.indexed;
  if (field.type === 'binary') row.files.set(field, column as Buffer | null);
  else row.custom[field.name] = toJsonValue(field, column);
}

function recordEffects(row: WritableRow, field: Field, column: unknown): void {
  if (typeof column !== 'number') return;
  if (field.loose) row.loose.set(field, column);
  if (field.type === 'monetary' && field.currency !== undefined) row.fractional ||= !Number.isInteger(column);
}

/** JSON fields contain text, which must not be encoded twice. */
function toJsonValue(field: Field, column: unknown): unknown {
  return field.type === 'json' && typeof column === 'string' ? JSON.parse(column) : column;
}

/**
 * Sets missing required fields to the empty value of their type.
 * @throws VALIDATION if the type has no empty value
 */
function fillRequiredColumns(row: WritableRow, model: Model): void {
  for (const field of model.fields.values()) {
    if (!field.required || field.hasDefault || field.related || field.computed || isListField(field))
      continue;
    const isGiven = field.custom ? field.name in row.custom || row.files.has(field) : row.columns.has(field);
    if (!isGiven) setColumn(row, model, field, toColumn(model, field, null));
  }
}

function stampLogFields(ctx: Ctx, model: Model, row: WritableRow, operation: 'create' | 'write'): void {
  const set = (name: string, value: unknown) => {
    const field = model.fields.get(name);
    if (field && !row.columns.has(field)) row.columns.set(field, value);
  };
  const now = new Date().toISOString().slice(0, 23);
  const user = ctx.principal?.userId ?? null;
  set('write_date', now);
  set('write_uid', user);
  if (operation === 'create') {
    set('create_date', now);
    set('create_uid', user);
  }
}

const DATETIME_PATTERN = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2})(:\d{2})?(\.\d{1,6})?)?$/;
/** JSON numbers above this limit are inexact, so a different amount would be stored. */
const MAX_AMOUNT = Number.MAX_SAFE_INTEGER;

/**
 * Converts a caller's value to the format of its column. `false` and null mean unset. HTML becomes `UnsafeHtml`. Never
 * truncates or clears a value silently.
 * @throws BAD_VALUE if the value does not fit the field
 */
export function toColumn(model: Model, field: Field, value: unknown): unknown {
  if (value === null || value === undefined) return getUnsetColumn(model, field);
  if (value === false && field.type !== 'boolean') return getUnsetColumn(model, field);
  // Clients written in Python may send True, which equals 1.
  if (value === true && isNumberField(field)) return 1;
  if (value === '' && EMPTY_IS_UNSET.has(field.type)) return getUnsetColumn(model, field);
  switch (field.type) {
    case 'boolean':
      return toBoolean(model, field, value);
    case 'integer':
    case 'many2one':
    case 'many2one_reference':
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
    case 'html':
      return toUnsafeHtml(toText(model, field, value), `${model.name}.${field.name}`);
    case 'reference':
      return toReference(model, field, value);
    case 'json':
    case 'properties':
    case 'properties_definition':
      return JSON.stringify(value);
    case 'strings':
      if (!Array.isArray(value) || value.some((v) => typeof v !== 'string'))
        throw buildValueError(model, field, value);
      return value;
    default:
      return toText(model, field, value);
  }
}

/** Types without an empty value. Forms send '' for an empty choice. */
const EMPTY_IS_UNSET: ReadonlySet<string> = new Set(['date', 'datetime', 'selection', 'reference']);

function getUnsetColumn(model: Model, field: Field): unknown {
  if (field.type === 'boolean') return false;
  if (defaultsToZero(field)) return 0;
  if (!field.required) return null;
  throw errors
    .validation(
      `The operation cannot be completed: Missing required value for the field '${field.label}' ` +
        `(${field.name}).\nModel: '${model.label}' (${model.name})\n- create/update: a mandatory field is not set`,
    )
    .withDetails(buildDetails(model, field));
}

const buildDetails = (model: Model, field: Field) => ({ model: model.name, field: field.name });

const buildValueError = (model: Model, field: Field, value: unknown) =>
  errors.wrongValue(model.name, field.name, value);

function toBoolean(model: Model, field: Field, value: unknown): boolean {
  if (typeof value === 'boolean') return value;
  if (value === 0 || value === 1) return value === 1;
  throw buildValueError(model, field, value);
}

function toNumber(model: Model, field: Field, value: unknown): number {
  const number = typeof value === 'string' ? parseDecimal(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) throw buildValueError(model, field, value);
  if (field.type === 'monetary' && Math.abs(number) > MAX_AMOUNT)
    throw errors
      .badValue(
        `Wrong value for ${model.name}.${field.name}: ${number} is out of range. Amounts go up to ${MAX_AMOUNT}.`,
      )
      .withDetails(buildDetails(model, field));
  return field.digits ? roundToPlaces(number, field.digits[1]) : number;
}

function toInteger(model: Model, field: Field, value: unknown): number {
  // A many2one accepts only a number as an id, not numeric text.
  if (field.type === 'many2one' && typeof value !== 'number') throw buildValueError(model, field, value);
  const number = toNumber(model, field, value);
  // `| 0` keeps a number that has 32 bits.
  const fits = field.wide ? Number.isSafeInteger(number) : number === (number | 0);
  if (!fits) throw buildValueError(model, field, value);
  return number;
}

/** Times are in UTC. A date field keeps only the day, and a datetime field interprets a day as its midnight. */
function toDate(model: Model, field: Field, value: unknown): string {
  const [, day, minute = '00:00', second = ':00', fraction = ''] =
    (typeof value === 'string' && DATETIME_PATTERN.exec(value)) || [];
  const dateTime = `${day} ${minute}${second}`;
  if (!day || !isInstant(dateTime)) throw buildValueError(model, field, value);
  return field.type === 'date' ? day : dateTime + fraction;
}

/** The model validates dynamic choices. */
function toSelection(model: Model, field: Field, value: unknown): unknown {
  if (field.choices) return toText(model, field, value);
  if (!field.selection!.some(([optionValue]) => optionValue === value))
    throw buildValueError(model, field, value);
  return value;
}

/** Validates `model,id`. */
function toReference(model: Model, field: Field, value: unknown): string {
  if (typeof value !== 'string' || !/^[a-z_][a-z0-9_.]*,\d{1,9}$/.test(value))
    throw buildValueError(model, field, value);
  const [target] = value.split(',');
  if (field.selection && !field.selection.some(([name]) => name === target))
    throw buildValueError(model, field, value);
  return value;
}

function toBytes(model: Model, field: Field, value: unknown): Buffer {
  const compactText = typeof value === 'string' ? unquoteBytes(value).replace(/\s+/g, '') : null;
  const body = compactText?.replace(/={1,2}$/, '');
  if (body === undefined || /[^A-Za-z0-9+/]/.test(body) || body.length % 4 === 1)
    throw buildValueError(model, field, value);
  return Buffer.from(body, 'base64');
}

/** `b'QUJD'` is Python's text form of bytes. Clients send it if they forget to decode the bytes. */
export const unquoteBytes = (text: string): string =>
  text.startsWith("b'") && text.endsWith("'") ? text.slice(2, -1) : text;

function toText(model: Model, field: Field, value: unknown): string {
  if (typeof value === 'object') throw buildValueError(model, field, value);
  const text = String(value);
  if (text.includes('\0'))
    throw errors
      .badValue(`Wrong value for ${model.name}.${field.name}: text may not contain a NUL character`)
      .withDetails(buildDetails(model, field));
  const maxLength = field.size ?? (field.type === 'char' ? MAX_CHAR_FIELD_CHARS : Number.POSITIVE_INFINITY);
  if (text.length > maxLength)
    throw errors
      .badValue(`Wrong value for ${model.name}.${field.name}: must have at most ${maxLength} characters`)
      .withDetails(buildDetails(model, field));
  if (field.required && text.trim() === '') return getUnsetColumn(model, field) as string;
  return text;
}
