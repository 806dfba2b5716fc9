import { sql } from '../../../../src/db/sql.ts';
import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../../src/engine/model/model.ts';
import { setHookValues } from '../../../../src/engine/write/values.ts';
import { errors } from '../../../../src/errors.ts';
import { checkManualState } from '../code-records.ts';
import { getModelRow, type ModelRow } from '../model-row.ts';
import { checkFieldGroups } from './field-groups.ts';
import { checkFieldSettings, fillFieldTypeDefaults } from './field-type.ts';

/** Maximum number of custom fields per model. A PostgreSQL result has at most 1,664 columns. */
export const MAX_CUSTOM_FIELDS = 1_000;

export async function prepareNewFields(ctx: Ctx, list: Values[]): Promise<void> {
  const newPaths = new Set<string>();
  const models: string[] = [];
  for (const values of list) {
    checkManualState(values, 'field');
    await checkFieldGroups(ctx, values);
    const { id, model } = await getTargetModel(ctx, values);
    setHookValues(values, { model_id: id, model });
    models.push(model);
    checkFieldName(values.name);
    const path = `${model}.${values.name}`;
    if (newPaths.has(path) || (await hasField(ctx, model, values.name))) throw createNotUniqueError();
    newPaths.add(path);
    values.field_description ||= buildDefaultLabel(values.name);
    checkFieldSettings(values);
    fillFieldTypeDefaults(ctx, values);
  }
  await rejectTooManyFields(ctx, models);
}

/**
 * @param models the model of each new field; may contain duplicates
 * @throws USER_ERROR if a model would have too many fields
 */
async function rejectTooManyFields(ctx: Ctx, models: string[]): Promise<void> {
  const [exceeded] = await ctx.db.rows<{ model: string }>(
    sql`select n.model from unnest(${models}::text[]) n(model) group by n.model
     having count(*) + (select count(*) from ir_model_fields f
       where f.workspace_id = ${ctx.workspace.id} and f.model = n.model) > ${MAX_CUSTOM_FIELDS} limit 1`,
  );
  if (exceeded)
    throw errors.user(`The model ${exceeded.model} can have at most ${MAX_CUSTOM_FIELDS} custom fields.`);
}

const createNotUniqueError = () => errors.validation('Field names must be unique per model.');

async function getTargetModel(ctx: Ctx, { model_id: id, model }: Values): Promise<ModelRow> {
  if (id && typeof id !== 'number') throw errors.wrongValue('ir.model.fields', 'model_id', id);
  if (!id && typeof model !== 'string')
    throw errors.validation("The field 'model_id' is required. Set it to the model of the new field.");
  const row = await getModelRow(ctx, 'model_id', id, model);
  if (ctx.catalog.registry.get(row.model)?.extensible === false)
    throw errors.user(`Custom fields cannot be added to the model ${row.model}.`);
  return row;
}

const FIELD_NAME_PATTERN = /^x_[A-Za-z0-9_]+$/;
const MAX_FIELD_NAME_LENGTH = 63;

/** @throws VALIDATION */
export function checkFieldName(name: unknown): asserts name is string {
  if (typeof name === 'string' && FIELD_NAME_PATTERN.test(name) && name.length <= MAX_FIELD_NAME_LENGTH)
    return;
  throw errors.validation(
    `The name of a custom field must start with 'x_' and contain at most ${MAX_FIELD_NAME_LENGTH} letters, digits ` +
      'and underscores.',
  );
}

export async function hasField(ctx: Ctx, model: string, name: string): Promise<boolean> {
  const existingField = ctx.catalog.registry.get(model)?.fields.get(name);
  if (existingField && !existingField.custom) return true;
  const rows = await ctx.db.rows(
    sql`select 1 from ir_model_fields where workspace_id = ${ctx.workspace.id} and model = ${model} and name = ${name}`,
  );
  return rows.length > 0;
}

/** The label of `x_country_id` is `X Country` (Odoo 19). */
const buildDefaultLabel = (name: string): string =>
  name
    .replace(/_ids?$/, '')
    .split('_')
    .filter(Boolean)
    .map((word) => word[0]!.toUpperCase() + word.slice(1))
    .join(' ');
