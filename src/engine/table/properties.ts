import { errors } from '../../errors.ts';
import { getModel } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { read, searchRead } from '../read/records.ts';
import { PROPERTY_FIELD_TYPES, type PropertyDefinition } from '../write/property-definition.ts';
import { InvalidCellError, parseCell } from './values.ts';

// A column such as `lead_properties.color` contains one property. Its type is defined in the record's parent, such as
// the team of a lead, so the same column may have different types in different rows.

/** A property as returned by a read. An unset property has no value. */
interface Property extends Omit<PropertyDefinition, 'default'> {
  value?: unknown;
}

/** Splits the name of a property column. Null for other columns. */
export function parsePropertyColumn(model: Model, name: string): { field: Field; property: string } | null {
  const [base, property, ...more] = name.split('.');
  const field = model.fields.get(base!);
  return property && more.length === 0 && field?.type === 'properties' ? { field, property } : null;
}

/** Formats a property of an exported record so that it can be imported. */
export function formatProperty(
  properties: unknown,
  property: string,
  formatInstantCell: (value: unknown) => unknown,
): unknown {
  const found = Array.isArray(properties)
    ? (properties as Property[]).find(({ name }) => name === property)
    : undefined;
  if (!found || found.type === 'separator') return '';
  const { type, value } = found;
  if (type === 'boolean') return value === true;
  if (value === false || value === null || value === undefined) return '';
  if (type === 'datetime') return formatInstantCell(value);
  if (type === 'selection') return findLabel(found.selection, value);
  if (type === 'tags') return (value as unknown[]).map((tag) => findLabel(found.tags, tag)).join(',');
  if (type === 'many2one') return (value as [number, string])[1];
  if (type === 'many2many') return (value as [number, string][]).map(([, name]) => name).join(',');
  return value;
}

const findLabel = (options: readonly (readonly unknown[])[] = [], value: unknown): unknown =>
  options.find(([option]) => option === value)?.[1] ?? value;

export interface PropertyRow {
  /** Null for a new record. */
  id: number | null;
  values: Values;
  /** Strings by column name. */
  texts: ReadonlyMap<string, string>;
  reject(field: Field, message: string): void;
}

/**
 * Sets properties from their columns. Other properties of an existing record keep their values, unless its parent
 * changes.
 */
export async function fillProperties(ctx: Ctx, model: Model, rows: readonly PropertyRow[]): Promise<void> {
  const fields = new Set(
    rows.flatMap(({ texts }) => [...texts.keys()].map((name) => parsePropertyColumn(model, name)!.field)),
  );
  for (const field of fields) {
    const fieldRows = rows.filter(({ texts }) =>
      [...texts.keys()].some((name) => belongsToField(model, name, field)),
    );
    await fillField(ctx, model, field, fieldRows);
  }
}

const belongsToField = (model: Model, name: string, field: Field): boolean =>
  parsePropertyColumn(model, name)!.field === field;

async function fillField(ctx: Ctx, model: Model, field: Field, rows: PropertyRow[]): Promise<void> {
  const [link] = field.definition!;
  const existingRows = await loadExistingProperties(ctx, model, field, rows);
  const parents = await loadDefinitions(ctx, model, field, rows);
  for (const { id, values, texts, reject } of rows) {
    const before = id === null ? undefined : existingRows.get(id);
    const parent = values[link];
    const isMoved = typeof parent === 'number' && parent !== before?.parent;
    const properties = isMoved || !before ? parents.get(Number(parent)) : before.properties;
    if (!properties) {
      reject(
        field,
        `Properties need a column for '${model.fields.get(link)!.label}' (${link}), which defines them`,
      );
      continue;
    }
    const storedValues: Values = isMoved || !before ? {} : pickValues(before.properties);
    for (const [column, text] of texts) {
      if (!belongsToField(model, column, field)) continue;
      try {
        await setProperty(ctx, model, storedValues, { field, column, text, properties });
      } catch (error) {
        if (!(error instanceof InvalidCellError)) throw error;
        reject(field, error.message);
      }
    }
    values[field.name] = storedValues;
  }
}

const pickValues = (properties: readonly Property[]): Values =>
  Object.fromEntries(
    properties.flatMap(({ name, type, value }) =>
      value === undefined || type === 'separator' ? [] : [[name, toStored(type, value)]],
    ),
  );

/** Converts a value to its stored form, because a read returns links with their names. */
const toStored = (type: string, value: unknown): unknown =>
  type === 'many2many' && Array.isArray(value) ? value.map(([id]) => id) : value;

interface ExistingProperties {
  parent: number | null;
  properties: Property[];
}

async function loadExistingProperties(
  ctx: Ctx,
  model: Model,
  field: Field,
  rows: PropertyRow[],
): Promise<Map<number, ExistingProperties>> {
  const [link] = field.definition!;
  const ids = rows.flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return new Map();
  const fields = ['id', link, field.name];
  const foundRecords = await read(ctx, { model: model.name, ids, fields, flavour: 'ids' });
  const records = await foundRecords.valueYielding<(Values & { id: number })[]>();
  return new Map(
    records.map(({ id, ...record }) => [
      id,
      { parent: (record[link] as number) || null, properties: record[field.name] as Property[] },
    ]),
  );
}

/**
 * Loads the property definitions of the parents in the table. The definitions count as part of the records, so the
 * caller needs no right to read the parents.
 */
async function loadDefinitions(
  ctx: Ctx,
  model: Model,
  field: Field,
  rows: PropertyRow[],
): Promise<Map<number, Property[]>> {
  const [link, name] = field.definition!;
  const parent = getModel(ctx, model.fields.get(link)!.relation!);
  const ids = [...new Set(rows.map(({ values }) => values[link]))].filter(
    (id): id is number => typeof id === 'number' && id > 0,
  );
  if (ids.length === 0) return new Map();
  const parents = await read(ctx.system(), { model: parent.name, ids, fields: ['id', name], flavour: 'ids' });
  const records = parents.value<Record<string, unknown>[]>();
  return new Map(records.map((row) => [row.id as number, (row[name] || []) as Property[]]));
}

interface PropertyCell {
  field: Field;
  column: string;
  text: string;
  properties: readonly Property[];
}

/** @throws InvalidCellError */
async function setProperty(
  ctx: Ctx,
  model: Model,
  storedValues: Values,
  { field, column, text, properties }: PropertyCell,
): Promise<void> {
  const { property: name } = parsePropertyColumn(model, column)!;
  const definition = properties.find((property) => property.name === name);
  if (!definition) {
    // Records with another parent do not have this property.
    if (text === '') return;
    throw new InvalidCellError(`There is no property '${name.slice(0, 80)}' in the field '${field.label}'`);
  }
  storedValues[name] = text === '' ? false : await parseProperty(ctx, model, field, definition, text);
}

async function parseProperty(
  ctx: Ctx,
  model: Model,
  field: Field,
  definition: Property,
  text: string,
): Promise<unknown> {
  const { name, type, string: label = name, selection = [], tags = [], comodel } = definition;
  const column = { ...field, name: `${field.name}.${name}`, label };
  if (type === 'selection') return findOption(label, selection, text);
  const cellType = PROPERTY_FIELD_TYPES[type];
  if (cellType) return parseCell(ctx, model, { ...column, type: cellType }, text);
  if (type === 'tags') return splitTexts(text).map((tag) => findOption(label, tags, tag));
  if (type === 'many2one') return (await findLinkedIds(ctx, label, comodel!, [text]))[0];
  if (type === 'many2many') return findLinkedIds(ctx, label, comodel!, splitTexts(text));
  throw errors.badValue(`the column '${column.name}' has no values`);
}

const splitTexts = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** @throws InvalidCellError */
function findOption(label: string, options: readonly (readonly unknown[])[], text: string): unknown {
  const word = text.trim().toLowerCase();
  const option = options.find(([value, name]) =>
    [value, name].some((choice) => String(choice).toLowerCase() === word),
  );
  if (option) return option[0];
  const choices = options.map(([, name]) => name).join(', ');
  throw new InvalidCellError(`'${text.slice(0, 80)}' is not one of the choices (${choices}) for '${label}'`);
}

/**
 * Finds records by name.
 * @throws InvalidCellError if a record is missing or a name is ambiguous
 */
async function findLinkedIds(ctx: Ctx, label: string, comodel: string, texts: string[]): Promise<number[]> {
  const matches = await searchRead(ctx, {
    model: comodel,
    domain: [['display_name', 'in', texts]],
    fields: ['display_name'],
  });
  const records = matches.value<{ id: number; display_name: string }[]>();
  return texts.map((text) => {
    const matching = records.filter(({ display_name: name }) => name === text);
    if (matching.length === 1) return matching[0]!.id;
    throw new InvalidCellError(
      matching.length > 1
        ? `Several records have the name '${text.slice(0, 80)}' for '${label}'`
        : `No matching record found for name '${text.slice(0, 80)}' for '${label}'`,
    );
  });
}
