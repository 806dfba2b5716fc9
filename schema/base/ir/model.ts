import { type Sql, sql } from '../../../src/db/sql.ts';
import { announceCatalogChange } from '../../../src/engine/ctx/announce-catalog-change.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { SqlContext, SqlModel } from '../../../src/engine/model/field.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { buildSourceSql } from '../../../src/engine/sql/columns.ts';
import { create } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { checkManualState, loadWorkspaceRows } from './code-records.ts';
import { loadRelatedFields, rejectUsedFields } from './field/field-own.ts';
import { dropValues } from './field/field-values.ts';
import { loadGroupIds } from './group-ids.ts';
import { checkModelOrders } from './model-order.ts';

/** Built-in and custom models. Names of custom models start with `x_` (Odoo 19, external API tutorial). */
defineModel('ir.model', {
  group: 'data',
  sharedTable: 'ir_model_stock',
  searchNames: ['name', 'model'],
  order: 'model, id',
  access: { 'base.group_erp_manager': 'r', 'base.group_system': 'crwu' },
  audited: true,
  computed: {
    count: {
      type: 'integer',
      label: 'Count (Incl. Archived)',
      help: 'Number of records.',
      sql: (row, context) =>
        sql`case ${row}.model ${sql.join(
          context.models().map((model) => buildCountSql(context, model)),
          ' ',
        )} else 0 end`,
    },
    inherited_model_ids: {
      type: 'many2many',
      label: 'Inherited models',
      relation: 'ir.model',
      // Always empty, because models do not inherit from each other.
      sql: (row) => sql`select ${row}.id where false`,
    },
  },
  lists: {
    field_id: { label: 'Fields', relation: 'ir.model.fields', inverse: 'model_id' },
    access_ids: { label: 'Access', relation: 'ir.model.access', inverse: 'model_id' },
    rule_ids: { label: 'Record Rules', relation: 'ir.rule', inverse: 'model_id' },
  },
  beforeCreate: (ctx, list) => {
    for (const values of list) prepareNewModel(ctx, values);
  },
  afterCreate: async (ctx, ids, list) => {
    for (const [index, id] of ids.entries()) await provisionModel(ctx, id, list[index]!);
    await checkModelOrders(ctx, ids);
    announceCatalogChange(ctx);
  },
  beforeWrite: async (ctx, values, ids) => {
    checkModelNameUnchanged(values, await getCustomModels(ctx, ids, 'change'));
  },
  afterWrite: async (ctx, ids) => {
    await checkModelOrders(ctx, ids);
    announceCatalogChange(ctx);
  },
  beforeUnlink: async (ctx, ids) => {
    const names = await getCustomModels(ctx, ids, 'delete');
    await removeFields(ctx, names);
    await deleteReferencingRows(ctx, names);
    announceCatalogChange(ctx);
  },
});

const buildCountSql = (context: SqlContext, model: SqlModel): Sql =>
  sql`when ${sql.literal(model.name)} then (select count(*)::int
    from ${buildSourceSql(context, { model, row: sql`c` })})`;

const MODEL_NAME_PATTERN = /^x_[a-z0-9_.]*[a-z0-9_]$/;
const MAX_MODEL_NAME_LENGTH = 63;

function prepareNewModel(ctx: Ctx, values: Values): void {
  checkManualState(values, 'model');
  const { model } = values;
  if (typeof model !== 'string' || model === '') return;
  if (!model.startsWith('x_'))
    throw errors.validation(`The name of the custom model ${model.slice(0, 80)} must start with 'x_'.`);
  if (!MODEL_NAME_PATTERN.test(model) || model.length > MAX_MODEL_NAME_LENGTH)
    throw errors.validation(
      `Invalid model name ${model.slice(0, 80)}. Use only a-z, 0-9, _ and dots, and at most ` +
        `${MAX_MODEL_NAME_LENGTH} characters.`,
    );
  if (ctx.catalog.registry.has(model))
    throw errors.validation(`Each model must have a unique name: the model ${model} already exists.`);
}

/** Adds a name field, and access rights for administrators unless the caller has set access rights. */
async function provisionModel(ctx: Ctx, id: number, values: Values): Promise<void> {
  const [has] = await ctx.db.rows<{ name: boolean; access: boolean }>(
    sql`select exists (
         select 1 from ir_model_fields
         where workspace_id = ${ctx.workspace.id} and model_id = ${id} and name = 'x_name') as name,
       exists (select 1 from ir_model_access where workspace_id = ${ctx.workspace.id} and model_id = ${id}) as access`,
  );
  const sudo = ctx.system();
  if (!has!.name)
    await create(sudo, 'ir.model.fields', [
      { model_id: id, name: 'x_name', field_description: 'Name', ttype: 'char' },
    ]);
  if (has!.access) return;
  const groups = await loadGroupIds(ctx, [ADMIN_GROUP]);
  const rights = { perm_read: true, perm_write: true, perm_create: true, perm_unlink: true };
  await create(sudo, 'ir.model.access', [
    { name: `${values.model} group_system`, model_id: id, group_id: groups.get(ADMIN_GROUP), ...rights },
  ]);
}

/** @returns the models' names @throws USER_ERROR if one of them is built-in */
async function getCustomModels(ctx: Ctx, ids: number[], action: string): Promise<string[]> {
  const customRows = await loadWorkspaceRows<{ model: string }>(ctx, 'ir_model', sql`model`, ids);
  if (customRows.length < ids.length) throw errors.user(`You cannot ${action} a built-in model.`);
  return customRows.map((row) => row.model);
}

/** Setting the same technical name again is allowed. */
function checkModelNameUnchanged(values: Values, names: string[]): void {
  if (values.state === 'manual') delete values.state;
  if (values.model !== undefined && names.some((name) => name !== values.model))
    throw errors.user(
      "The field 'model' cannot be changed, because the technical name of a model is permanent.",
    );
}

/** Deletes the models' fields, and other models' fields that refer to the models. */
async function removeFields(ctx: Ctx, names: string[]): Promise<void> {
  const fields = await loadRelatedFields(ctx, names);
  rejectUsedFields(ctx, fields, names);
  await dropValues(
    ctx,
    fields.filter((field) => !names.includes(field.model)),
  );
  const ids = fields.map((field) => field.id);
  await ctx.db.rows(
    sql`delete from ir_model_fields where workspace_id = ${ctx.workspace.id} and id = any(${ids})`,
  );
}

/** Deletes rows attached to records by model name. The records themselves are deleted with the model's row. */
async function deleteReferencingRows(ctx: Ctx, names: string[]): Promise<void> {
  for (const [table, column] of [
    ['ir_model_data', 'model'],
    ['ir_attachment', 'res_model'],
    ['mail_message', 'model'],
    ['mail_activity', 'res_model'],
    ['mail_followers', 'res_model'],
  ] as const)
    await ctx.db.rows(
      sql`delete from ${sql.id(table)} where workspace_id = ${ctx.workspace.id} and ${sql.id(column)} = any(${names})`,
    );
}
