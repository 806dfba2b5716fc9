import { randomBytes } from 'node:crypto';
import { errors } from '../../errors.ts';
import { isObject } from '../../json.ts';
import type { Field, FieldType } from '../model/field.ts';
import type { Model, Registry, Values } from '../model/model.ts';
import { isPropertyName } from '../model/naming.ts';
import { INT_MAX } from '../value/number.ts';
import { toColumn } from './values.ts';

const MAX_PROPERTY_DEFINITIONS = 100;

export interface PropertyDefinition {
  name: string;
  type: string;
  string?: string;
  comodel?: string;
  selection?: [string, string][];
  tags?: [string, string, number][];
  default?: unknown;
}

/** Field type that validates the values of each property type. Null if the values have a special format. */
export const PROPERTY_FIELD_TYPES: Record<string, FieldType | null> = {
  boolean: 'boolean',
  integer: 'integer',
  float: 'float',
  monetary: 'float',
  char: 'char',
  text: 'text',
  html: 'html',
  date: 'date',
  datetime: 'datetime',
  selection: 'selection',
  many2one: null,
  many2many: null,
  tags: null,
  separator: null,
};

const DEFINITION_KEYS = new Set(
  ['name', 'type', 'string', 'help', 'default', 'suffix', 'comodel', 'domain'].concat([
    'selection',
    'tags',
    'view_in_cards',
    'fold_by_default',
    'currency_field',
  ]),
);

/** Keys that clients send with a definition but that are not part of it. */
const ITEM_KEYS = new Set(['value', 'definition_changed', 'definition_deleted']);

/**
 * Validates definitions and adds missing names. An unset value means an empty list.
 * @throws BAD_VALUE naming the invalid property
 */
export function parseDefinitions(registry: Registry, where: string, input: unknown): PropertyDefinition[] {
  if (input === null || input === undefined || input === false) return [];
  const buildError = (problem: string) => errors.badValue(`Wrong value for ${where}: ${problem}`);
  if (!Array.isArray(input)) throw buildError('definitions must be a list of objects');
  if (input.length > MAX_PROPERTY_DEFINITIONS)
    throw buildError(`at most ${MAX_PROPERTY_DEFINITIONS} properties can be defined`);
  const list = input.map((item) => parseDefinition(registry, item, buildError));
  const names = list.map((item) => item.name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate) throw buildError(`the property '${duplicate}' is defined twice`);
  return list;
}

export const generatePropertyName = (): string => randomBytes(8).toString('hex');

type ErrorFactory = (problem: string) => Error;

function parseDefinition(registry: Registry, input: unknown, buildError: ErrorFactory): PropertyDefinition {
  if (!isObject(input)) throw buildError('a definition must be an object');
  const entries = Object.entries(input).filter(([key, value]) => !ITEM_KEYS.has(key) && value !== null);
  const definition: GivenDefinition = Object.fromEntries(entries);
  definition.name ||= generatePropertyName();
  assertDefinition(registry, definition, buildError);
  return definition;
}

/** An unvalidated definition, with values of any type and possibly with other keys. */
type GivenDefinition = { [K in keyof PropertyDefinition]?: unknown };

function assertDefinition(
  registry: Registry,
  definition: GivenDefinition,
  buildError: ErrorFactory,
): asserts definition is PropertyDefinition {
  const { name, type, string } = definition;
  if (typeof name !== 'string' || !isPropertyName(name))
    throw buildError('the name of a property may only contain lower-case letters, digits and underscores');
  const unknownKey = Object.keys(definition).find((key) => !DEFINITION_KEYS.has(key));
  if (unknownKey) throw buildError(`the property '${name}' has the unknown key '${unknownKey.slice(0, 40)}'`);
  if (typeof type !== 'string' || !Object.hasOwn(PROPERTY_FIELD_TYPES, type))
    throw buildError(`the property '${name}' has a missing or unknown type`);
  if (string !== undefined && typeof string !== 'string')
    throw buildError(`the label of the property '${name}' must be a string`);
  assertOptions(registry, name, type, definition, buildError);
}

function assertOptions(
  registry: Registry,
  name: string,
  type: string,
  { comodel, selection, tags }: GivenDefinition,
  buildError: ErrorFactory,
): void {
  if (type.startsWith('many2') && !(typeof comodel === 'string' && registry.has(comodel)))
    throw buildError(`the property '${name}' refers to an unknown model`);
  const areTextTuples = (list: unknown, length: number): boolean =>
    Array.isArray(list) &&
    list.every(
      (item) => Array.isArray(item) && item.length === length && item.slice(0, 2).every(isNonEmptyText),
    );
  if (selection !== undefined && !areTextTuples(selection, 2))
    throw buildError(`the selection of the property '${name}' must be a list of [value, label]`);
  if (tags !== undefined && !areTextTuples(tags, 3))
    throw buildError(`the tags of the property '${name}' must be a list of [value, label, color]`);
}

const isNonEmptyText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/**
 * Converts a property value to the stored format: unset is false, a many2one is an id, and a many2many is a list of
 * ids.
 * @throws BAD_VALUE if the value does not match the definition
 */
export function toPropertyValue(
  model: Model,
  field: Field,
  definition: PropertyDefinition,
  value: unknown,
): unknown {
  const type = PROPERTY_FIELD_TYPES[definition.type];
  if (value === null || value === undefined || value === false || value === '') return false;
  const name = `${field.name}.${definition.name}`;
  const createError = () => errors.wrongValue(model.name, name, value);
  if (type) return toFieldValue(model, field, definition, type, value);
  switch (definition.type) {
    case 'many2one':
      return parseId(value) ?? throwError(createError);
    case 'many2many':
      return parseList(value, createError).map((item) => parseId(item) ?? throwError(createError));
    case 'tags':
      return parseList(value, createError).map(
        (item) => definition.tags?.find(([tag]) => tag === item)?.[0] ?? throwError(createError),
      );
    default:
      return throwError(createError);
  }
}

function toFieldValue(
  model: Model,
  field: Field,
  definition: PropertyDefinition,
  type: FieldType,
  value: unknown,
): unknown {
  const selection = definition.selection ?? [];
  const propertyField: Field = {
    ...field,
    name: `${field.name}.${definition.name}`,
    type,
    required: false,
    selection,
  };
  return toColumn(model, propertyField, value) ?? false;
}

/** Accepts an id, or `[id, name]` as returned by a read. */
function parseId(value: unknown): number | null {
  const id = Array.isArray(value) ? value[0] : value;
  return Number.isInteger(id) && id > 0 && id <= INT_MAX ? id : null;
}

function parseList(value: unknown, createError: () => Error): unknown[] {
  return Array.isArray(value) ? value : throwError(createError);
}

function throwError(createError: () => Error): never {
  throw createError();
}

export function collectLinks(definitions: PropertyDefinition[], values: Values): Map<string, number[]> {
  const links = new Map<string, number[]>();
  for (const { name, comodel } of definitions) {
    if (!comodel || !values[name]) continue;
    links.set(comodel, [...(links.get(comodel) ?? []), ...[values[name] as number | number[]].flat()]);
  }
  return links;
}
