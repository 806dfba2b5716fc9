import { perOwner } from '../../cache.ts';
import { AppError } from '../../errors.ts';
import { fieldTexts, labelLanguages } from '../describe/labels.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { fromWall, isInstant, timeOf, written } from '../value/instant.ts';
import { numberOf } from '../value/number.ts';
import { toColumn } from '../write/values.ts';

/** Why a text is no value of its field, with the field in it. */
export class Unfit extends Error {}

const TRUE = new Set(['1', 'true', 'yes', 'y', 't']);
const FALSE = new Set(['0', 'false', 'no', 'n', 'f']);

/**
 * The value that a cell of a table stands for. Selections go by value or label in any language, times are on the wall
 * clock of `tz`.
 * @throws Unfit
 */
export function importedValue(model: Model, field: Field, text: string, tz: string): unknown {
  if (text === '') return false;
  switch (field.type) {
    case 'boolean':
      return toBoolean(field, text);
    case 'integer':
    case 'many2one_reference':
      return toNumber(field, text, 'an integer', Number.isInteger);
    case 'float':
    case 'monetary':
      return toNumber(field, text, 'a number', Number.isFinite);
    case 'selection':
      return field.choices ? checked(model, field, text) : toSelection(model, field, text);
    case 'date':
      return toDate(field, text);
    case 'datetime':
      return toInstant(field, text, tz);
    case 'json':
    case 'properties':
    case 'properties_definition':
    case 'strings':
      return toJson(field, text);
    default:
      return checked(model, field, text);
  }
}

const unfit = (field: Field, text: string, what: string): Unfit =>
  new Unfit(`'${text.slice(0, 80)}' is not ${what} for the field '${field.label}'`);

function toBoolean(field: Field, text: string): boolean {
  const word = text.trim().toLowerCase();
  if (TRUE.has(word)) return true;
  if (FALSE.has(word)) return false;
  throw unfit(field, text, 'yes or no');
}

function toNumber(field: Field, text: string, what: string, fits: (n: number) => boolean): number {
  const number = numberOf(text);
  if (!fits(number)) throw unfit(field, text, what);
  return number;
}

function toSelection(model: Model, field: Field, text: string): string {
  const option = optionsByWord(model)(field).get(text.trim().toLowerCase());
  if (option !== undefined) return option;
  throw unfit(field, text, `one of the choices (${field.selection!.map(([, label]) => label).join(', ')})`);
}

/** The options of a field by their values and labels in any language, in lower case; made once for each field. */
const optionsByWord = perOwner((model: Model) =>
  perOwner((field: Field) => {
    const words = new Map<string, string>();
    for (const language of [null, ...labelLanguages()])
      for (const [value, label] of fieldTexts(model, field, language).selection!)
        for (const word of [value.toLowerCase(), label.toLowerCase()])
          if (!words.has(word)) words.set(word, value);
    return words as ReadonlyMap<string, string>;
  }),
);

function toDate(field: Field, text: string): string {
  const day = text.trim().slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || !isInstant(day)) throw unfit(field, text, 'a date (YYYY-MM-DD)');
  return day;
}

function toInstant(field: Field, text: string, tz: string): string {
  const [, day, time = '00:00:00'] =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2}))?$/.exec(text.trim()) ?? [];
  const wall = `${day} ${time}`;
  if (!day || !isInstant(wall)) throw unfit(field, text, 'a date and time (YYYY-MM-DD HH:MM:SS)');
  return written(fromWall(timeOf(wall), tz));
}

function toJson(field: Field, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unfit(field, text, 'JSON');
  }
}

/** What else may be wrong with a value, the field itself says. */
function checked(model: Model, field: Field, text: string): string {
  try {
    toColumn(model, field, text);
    return text;
  } catch (error) {
    throw error instanceof AppError ? new Unfit(error.message) : error;
  }
}
