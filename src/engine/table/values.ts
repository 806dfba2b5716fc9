import { memoizePerObject } from '../../cache.ts';
import { AppError } from '../../errors.ts';
import { getTimeZone } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { listLabelLanguages, translateFieldTexts } from '../describe/labels.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import type { CellFormat } from '../model/principal.ts';
import { formatInstant, fromWallClock, parseTimestamp } from '../value/instant.ts';
import { toColumn } from '../write/values.ts';
import { parseCellDate } from './dates.ts';
import { parseCellNumber } from './numbers.ts';

/** Error for text that is not a valid value of a field. The message names the field. */
export class InvalidCellError extends Error {}

const TRUE_WORDS = new Set(['1', 'true', 'yes', 'y', 't']);
const FALSE_WORDS = new Set(['0', 'false', 'no', 'n', 'f']);

/**
 * Converts a cell to a value. Selections match by value or by label in any language. Times are in the caller's time
 * zone.
 * @throws InvalidCellError
 */
export function parseCell(ctx: Ctx, model: Model, field: Field, text: string): unknown {
  const format = ctx.context.cellFormat ?? {};
  if (text === '') return false;
  switch (field.type) {
    case 'boolean':
      return toBoolean(field, text);
    case 'integer':
    case 'many2one_reference':
      return toNumber(field, text, format, 'an integer', Number.isInteger);
    case 'float':
    case 'monetary':
      return toNumber(field, text, format, 'a number', Number.isFinite);
    case 'selection':
      return field.choices ? validateCell(model, field, text) : toSelection(model, field, text);
    case 'date':
      return toDate(field, text, format);
    case 'datetime':
      return toInstant(field, text, format, getTimeZone(ctx));
    case 'json':
    case 'properties':
    case 'properties_definition':
    case 'strings':
      return toJson(field, text);
    default:
      return validateCell(model, field, text);
  }
}

const buildCellError = (field: Field, text: string, expected: string): InvalidCellError =>
  new InvalidCellError(
    `Invalid value '${text.slice(0, 80)}' for the field '${field.label}': expected ${expected}`,
  );

function toBoolean(field: Field, text: string): boolean {
  const word = text.trim().toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  if (FALSE_WORDS.has(word)) return false;
  throw buildCellError(field, text, 'yes or no');
}

function toNumber(
  field: Field,
  text: string,
  { decimalSeparator }: CellFormat,
  expected: string,
  fits: (n: number) => boolean,
): number {
  const number = parseCellNumber(text, decimalSeparator);
  if (!fits(number)) throw buildCellError(field, text, expected);
  return number;
}

function toSelection(model: Model, field: Field, text: string): string {
  const option = getOptionsByWord(model)(field).get(text.trim().toLowerCase());
  if (option !== undefined) return option;
  throw buildCellError(
    field,
    text,
    `one of the choices (${field.selection!.map(([, label]) => label).join(', ')})`,
  );
}

/** Options of a field by value and by label in every language, in lower case. */
const getOptionsByWord = memoizePerObject((model: Model) =>
  memoizePerObject((field: Field) => {
    const words = new Map<string, string>();
    for (const language of [null, ...listLabelLanguages()])
      for (const [value, label] of translateFieldTexts(model, field, language).selection!)
        for (const word of [value.toLowerCase(), label.toLowerCase()])
          if (!words.has(word)) words.set(word, value);
    return words as ReadonlyMap<string, string>;
  }),
);

function toDate(field: Field, text: string, { dateOrder }: CellFormat): string {
  const date = parseCellDate(text, dateOrder);
  if (!date) throw buildCellError(field, text, 'a date (YYYY-MM-DD, 31.01.2026 or 31 January 2026)');
  return date.day;
}

function toInstant(field: Field, text: string, { dateOrder }: CellFormat, tz: string): string {
  const date = parseCellDate(text, dateOrder);
  if (!date)
    throw buildCellError(field, text, 'a date and time (YYYY-MM-DD HH:MM:SS or 31 January 2026 14:30)');
  return formatInstant(fromWallClock(parseTimestamp(date.wallTime), tz));
}

function toJson(field: Field, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw buildCellError(field, text, 'JSON');
  }
}

/** Validates text with the field's own conversion. */
function validateCell(model: Model, field: Field, text: string): string {
  try {
    toColumn(model, field, text);
    return text;
  } catch (error) {
    throw error instanceof AppError ? new InvalidCellError(error.message) : error;
  }
}
