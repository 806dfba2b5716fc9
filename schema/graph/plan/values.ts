import type { Field } from '../../../src/engine/model/field.ts';
import { isListField } from '../../../src/engine/model/field.ts';
import { getMaximumId, type Model } from '../../../src/engine/model/model.ts';
import { WIDE_MAX } from '../../../src/engine/value/number.ts';
import { getEnumName, isEnum } from './names.ts';

const SCALARS: Partial<Record<Field['type'], string>> = {
  many2one: 'ID',
  many2one_reference: 'ID',
  integer: 'Int',
  float: 'Float',
  monetary: 'Float',
  boolean: 'Boolean',
  json: 'JSON',
  properties: 'JSON',
  properties_definition: 'JSON',
  datetime: 'DateTime',
  date: 'Date',
  strings: '[String!]',
  binary: 'RecordFile',
};

/** Returns the type without the non-null marker. */
export function getValueType(model: Model, field: Field): string {
  if (field.name === getKeyField(model)) return 'ID';
  if (isEnum(field)) return getEnumName(model, field);
  if (model.options.graph?.ids?.includes(field.name)) return 'ID';
  return SCALARS[field.type] ?? 'String';
}

/** Returns the field that identifies records to GraphQL clients: a numeric or a public id. */
export const getKeyField = (model: Model): string => model.options.graph?.key ?? 'id';

/** Returns null unless `id` is the canonical form of a possible numeric id. @param model undefined for any model */
export function parseRecordId(id: string, model?: Model): number | null {
  const number = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : null;
  return number !== null && number <= (model ? getMaximumId(model) : WIDE_MAX) ? number : null;
}

/** Types whose unset value is zero, false or an empty list. */
const ZERO_DEFAULT_TYPES: ReadonlySet<string> = new Set([
  'integer',
  'float',
  'monetary',
  'boolean',
  'strings',
]);

/** Returns true if everyone who can read a record gets a value. A field limited to groups is null for other readers. */
function isAlwaysSet(model: Model, field: Field): boolean {
  if (field.groups.length > 0 || isListField(field)) return false;
  if (field.name === 'id' || field.name === getKeyField(model) || field.name === 'display_name') return true;
  if (ZERO_DEFAULT_TYPES.has(field.type)) return true;
  return field.required && !field.custom && !field.related && !field.computed;
}

export const getOutputType = (model: Model, field: Field): string =>
  getValueType(model, field) + (isAlwaysSet(model, field) ? '!' : '');
