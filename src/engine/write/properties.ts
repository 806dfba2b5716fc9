import { sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { yieldToOthers } from '../../loop/yield.ts';
import { assertModelAccess } from '../access/access.ts';
import { createStatement, getModel } from '../access/create-statement.ts';
import { announceCatalogChange } from '../ctx/announce-catalog-change.ts';
import type { Catalog } from '../ctx/catalog.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { buildSourceSql } from '../sql/columns.ts';
import { getMainSource } from '../sql/statement.ts';
import { excludeIds } from '../value/exclude-ids.ts';
import { copySanitizedField, getSanitizedHtml, sanitizeValues, UnsafeHtml } from './html.ts';
import { getPropertyFields } from './plan.ts';
import {
  collectLinks,
  generatePropertyName,
  type PropertyDefinition,
  parseDefinitions,
  toPropertyValue,
} from './property-definition.ts';
import type { RecordWriter } from './row.ts';

// Properties are fields that a record's parent defines, such as a team for its leads. The record stores their values by
// name. A write replaces the whole value, so an omitted property becomes unset (Odoo 19).

/** Values of new records if `ids` is null, otherwise the values to write to `ids`. */
interface GivenValues {
  model: Model;
  list: Values[];
  ids: number[] | null;
}

interface PropertyTarget {
  writer: RecordWriter;
  model: Model;
  field: Field;
}

/**
 * Converts properties and their definitions to the stored format. New records start with the defaults in their parent's
 * definitions. Items with `definition_changed` or `definition_deleted` change the definitions.
 * @throws BAD_VALUE for an unknown property or an invalid value, ACCESS_ERROR for definitions that the caller may not
 * change
 */
export async function normalizeProperties(
  ctx: Ctx,
  writer: RecordWriter,
  { model, list, ids }: GivenValues,
): Promise<void> {
  for (const field of getPropertyFields(model)) {
    const properties = { writer, model, field };
    if (!field.definition) {
      for (const values of list)
        if (field.name in values) await normalizeDefinitions(ctx, model, field, values);
    } else if (ids) {
      const [values] = list as [Values];
      if (field.name in values)
        await normalizeValues(ctx, properties, values, await loadParents(ctx, properties, ids, values));
    } else await normalizeNewProperties(ctx, properties, list);
  }
}

async function normalizeDefinitions(ctx: Ctx, model: Model, field: Field, values: Values): Promise<void> {
  const definitions = parseDefinitions(
    ctx.catalog.registry,
    `${model.name}.${field.name}`,
    values[field.name],
  );
  for (const { comodel } of definitions) if (comodel) assertModelAccess(ctx, getModel(ctx, comodel), 'read');
  const defaults: Values = {};
  for (const { name, ...each } of definitions)
    if (each.default !== undefined)
      defaults[name] = toPropertyValue(model, field, { name, ...each }, each.default);
  await sanitizeValues(ctx, defaults);
  for (const definition of definitions)
    if (definition.default !== undefined) definition.default = defaults[definition.name];
  values[field.name] = definitions;
  outdatedCatalogs.add(ctx.catalog);
  announceCatalogChange(ctx);
}

/** Catalogs that were loaded before a definition was written. */
const outdatedCatalogs = new WeakSet<Catalog>();

type DefinitionsByParent = Map<number, PropertyDefinition[]>;

async function normalizeNewProperties(ctx: Ctx, properties: PropertyTarget, list: Values[]): Promise<void> {
  const { field } = properties;
  const [link, name] = field.definition!;
  const parent = properties.model.fields.get(link)!.relation!;
  const isDefined = ctx.catalog.definitions.has(`${parent}.${name}`) || outdatedCatalogs.has(ctx.catalog);
  // Skips models without definitions, because loading definitions would double the time of a create.
  if (!isDefined && !list.some((values) => field.name in values)) return;
  const linkedIds = list.map((values) => values[link]).filter((id) => typeof id === 'number');
  const parents = await loadDefinitions(ctx, properties, linkedIds);
  for (const values of list) {
    const pause = yieldToOthers();
    if (pause) await pause;
    const id = values[link] as number;
    const definitions = parents.get(id);
    if (field.name in values)
      await normalizeValues(ctx, properties, values, new Map(definitions && [[id, definitions]]));
    const withDefaults = definitions?.filter((definition) => definition.default !== undefined) ?? [];
    if (withDefaults.length)
      values[field.name] = {
        ...Object.fromEntries(withDefaults.map((withDefault) => [withDefault.name, withDefault.default])),
        ...(values[field.name] as Values | undefined),
      };
  }
}

async function loadParents(
  ctx: Ctx,
  properties: PropertyTarget,
  ids: number[],
  values: Values,
): Promise<DefinitionsByParent> {
  const { model, field } = properties;
  const link = model.fields.get(field.definition![0])!;
  const parentValue = values[link.name];
  if (parentValue !== undefined)
    return loadDefinitions(ctx, properties, typeof parentValue === 'number' ? [parentValue] : []);
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select distinct ${sql.id(link.name)} as id from ${sql.id(model.table)}
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and ${sql.id(link.name)} is not null`,
  );
  const parents = rows.map((row) => row.id);
  return loadDefinitions(ctx, properties, parents);
}

async function loadDefinitions(
  ctx: Ctx,
  { model, field }: PropertyTarget,
  ids: number[],
): Promise<DefinitionsByParent> {
  if (ids.length === 0) return new Map();
  const [link, name] = field.definition!;
  const parent = getModel(ctx, model.fields.get(link)!.relation!);
  const rows = await ctx.db.rows<{ id: number; definitions: PropertyDefinition[] | null }>(
    sql`select id, ${sql.id(name)} as definitions from ${sql.id(parent.table)}
     where workspace_id = ${ctx.workspace.id} and id = any(${[...new Set(ids)]})`,
  );
  return new Map(rows.map((row) => [row.id, row.definitions ?? []]));
}

async function normalizeValues(
  ctx: Ctx,
  properties: PropertyTarget,
  values: Values,
  parents: DefinitionsByParent,
): Promise<void> {
  const { model, field } = properties;
  const propertyValue = values[field.name];
  if (propertyValue === null || propertyValue === undefined || propertyValue === false) {
    values[field.name] = null;
    return;
  }
  if (typeof propertyValue !== 'object') throw errors.wrongValue(model.name, field.name, propertyValue);
  const items = Array.isArray(propertyValue)
    ? propertyValue.map((item) => parseItem(model, field, item))
    : null;
  if (items) await updateDefinitions(ctx, properties, items, parents);
  const definitions = [...parents.values()].flat();
  const normalizedValues = items ? extractValues(items) : (propertyValue as Values);
  const storedValues: Values = {};
  for (const [name, value] of Object.entries(normalizedValues)) {
    const definition = definitions.find((definition) => definition.name === name);
    if (!definition) throw errors.unknownField(`${field.name}.${name}`.slice(0, 120), model.name, 'in');
    if (definition.type === 'separator') continue;
    const checkedValue = toPropertyValue(model, field, definition, value);
    storedValues[name] =
      checkedValue instanceof UnsafeHtml
        ? (getSanitizedHtml(normalizedValues, name, checkedValue.html) ?? checkedValue)
        : checkedValue;
  }
  await sanitizeValues(ctx, storedValues);
  await assertLinkedRecordsExist(ctx, properties, definitions, storedValues);
  values[field.name] = storedValues;
}

interface PropertyItem extends Values {
  name?: string;
  value?: unknown;
  definition_changed?: boolean;
  definition_deleted?: boolean;
}

/**
 * Generates a name for a new definition without one.
 * @throws BAD_VALUE for an invalid definition
 */
function parseItem(model: Model, field: Field, item: unknown): PropertyItem {
  if (item === null || typeof item !== 'object') throw errors.wrongValue(model.name, field.name, item);
  const property = item as PropertyItem;
  return property.definition_changed && !property.name
    ? { ...property, name: generatePropertyName() }
    : property;
}

function extractValues(items: PropertyItem[]): Values {
  const values: Values = {};
  for (const item of items) {
    if (item.definition_deleted || item.value === undefined || !item.name) continue;
    values[item.name] = item.value;
    copySanitizedField(item, 'value', values, item.name);
  }
  return values;
}

/** Applies the changed definitions in a record's property list to the parents, and updates `parents`. */
async function updateDefinitions(
  ctx: Ctx,
  properties: PropertyTarget,
  items: PropertyItem[],
  parents: DefinitionsByParent,
): Promise<void> {
  const { writer, model, field } = properties;
  if (!items.some((item) => item.definition_changed || item.definition_deleted)) return;
  const [link, name] = field.definition!;
  const target = model.fields.get(link)!.relation!;
  if (parents.size === 0)
    throw errors.badValue(
      `Wrong value for ${model.name}.${field.name}: set ${link} first, because it defines the properties`,
    );
  for (const [id, before] of parents) {
    const values: Values = { [name]: mergeDefinitions(before, items) };
    await writer.write(ctx, target, [id], values);
  }
  for (const [id, definitions] of await loadDefinitions(ctx, properties, [...parents.keys()]))
    parents.set(id, definitions);
}

/** Returns the definitions in the order of the changed list, followed by all definitions that the list omits. */
function mergeDefinitions(before: PropertyDefinition[], items: PropertyItem[]): unknown[] {
  const mentioned = new Set(items.map((item) => item.name));
  const mergedItems = items.flatMap((item): unknown[] => {
    const oldElement = before.find((element) => element.name === item.name);
    if (item.definition_deleted) return [];
    return item.definition_changed ? [item] : oldElement ? [oldElement] : [];
  });
  return [...mergedItems, ...before.filter((item) => !mentioned.has(item.name))];
}

/** @throws BAD_VALUE for a link to a missing record */
async function assertLinkedRecordsExist(
  ctx: Ctx,
  { model, field }: PropertyTarget,
  definitions: PropertyDefinition[],
  storedValues: Values,
): Promise<void> {
  for (const [name, ids] of collectLinks(definitions, storedValues)) {
    const target = getModel(ctx, name);
    const rows = await ctx.db.rows<{ id: number }>(
      sql`select t.id from ${buildSourceSql(createStatement(ctx), getMainSource(target))} and t.id = any(${ids})`,
    );
    const [absent] = excludeIds(
      ids,
      rows.map((row) => row.id),
    );
    const property = definitions.find((definition) => definition.comodel === name)!;
    if (absent !== undefined) throw errors.wrongValue(model.name, `${field.name}.${property.name}`, absent);
  }
}
