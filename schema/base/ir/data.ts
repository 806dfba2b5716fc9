import { sql } from '../../../src/db/sql.ts';
import { canAccessModel } from '../../../src/engine/access/access.ts';
import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult } from '../../../src/engine/operation/record-result.ts';
import { findReferenceRecords } from '../../../src/engine/read/external-ids.ts';
import { search } from '../../../src/engine/read/records.ts';
import { errors } from '../../../src/errors.ts';

/** External identifiers, which code and imports use to refer to records. */
defineModel('ir.model.data', {
  group: 'data',
  graph: { type: 'IrModelData', one: 'irModelData', many: 'irModelDataList' },
  display: 'complete_name',
  searchNames: ['complete_name'],
  order: 'module, model, name, id',
  goesWith: { model: 'model', id: 'res_id' },
  access: { 'base.group_erp_manager': 'r', 'base.group_system': 'crwu' },
  computed: {
    complete_name: {
      type: 'char',
      label: 'Complete ID',
      sql: (row) =>
        sql`case when ${row}.module = '' then ${row}.name else ${row}.module || '.' || ${row}.name end`,
    },
    reference: {
      type: 'char',
      label: 'Reference',
      help: 'Model and id of the record.',
      sql: (row) => sql`${row}.model || ',' || coalesce(${row}.res_id, 0)`,
    },
  },
  prepare: (ctx, list) => {
    for (const { model } of list) if (typeof model === 'string' && model !== '') getModel(ctx, model);
  },
  beforeWrite: (ctx, _values, ids) => rejectPlatformRecords(ctx, ids),
  beforeUnlink: rejectPlatformRecords,
});

/**
 * Rejects changes to external identifiers that the code uses. An upgrade would add the record of a renamed identifier
 * again, or change the record that an identifier newly refers to. Identifiers are deleted with their records.
 * Identifiers from users and imports have a creator or are not `noupdate`.
 * @throws USER_ERROR if `ids` contains an identifier that the code uses
 */
async function rejectPlatformRecords(ctx: Ctx, ids: number[]): Promise<void> {
  if (ctx.sudo) return;
  const [row] = await ctx.db.rows<{ module: string; name: string }>(
    sql`select module, name from ir_model_data
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and noupdate and create_uid is null
       and write_uid is null
     order by id limit 1`,
  );
  if (row)
    throw errors.user(
      `The external id '${row.module}.${row.name}' is built in and cannot be changed. Add ` +
        'another external id to the record instead.',
    );
}

interface RecordKey {
  model: string;
  id: number;
}

/**
 * Returns the record with the external identifier `module.name`. Identifiers of built-in models and fields
 * (`base.model_res_partner`, `base.field_res_partner__name`) and of states (`base.state_us_5`) have no row.
 */
export async function findNamedRecord(ctx: Ctx, module: string, name: string): Promise<RecordKey | null> {
  const [row] = await ctx.db.rows<RecordKey>(
    sql`select model, res_id as id from ir_model_data
     where workspace_id = ${ctx.workspace.id} and module = ${module} and name = ${name} and res_id is not null`,
  );
  if (row) return row;
  const stock = module === 'base' ? (await findReferenceRecords(ctx, null, [name])).get(name) : undefined;
  return stock ?? (await findCodeRecord(ctx, module, name));
}

/** @throws BAD_VALUE if `model` has no record with the external identifier */
export async function getRecordId(ctx: Ctx, model: string, xmlid: string): Promise<number> {
  const [module, ...name] = xmlid.split('.');
  const namedRecord = await findNamedRecord(ctx, module!, name.join('.'));
  if (namedRecord?.model !== model) throw createUnknownNameError(xmlid);
  return namedRecord.id;
}

const createUnknownNameError = (xmlid: string) =>
  errors.badValue(`External ID not found in the system: ${xmlid.slice(0, 160)}`);

async function findCodeRecord(ctx: Ctx, module: string, name: string): Promise<RecordKey | null> {
  const [kind] = /^(model|field)_/.exec(name) ?? [];
  if (!kind) return null;
  const source =
    kind === 'model_'
      ? sql`select 'ir.model' as model, id from ir_model_stock where 'model_' || replace(model, '.', '_') = ${name}`
      : sql`select 'ir.model.fields' as model, id from ir_field_stock
         where 'field_' || replace(model, '.', '_') || '__' || name = ${name}`;
  const [row] = await ctx.db.rows<RecordKey>(
    sql`select x.model, x.id from (${source} and ${module} in (modules, 'base')) x limit 1`,
  );
  return row ?? null;
}

const DataReference = builder.objectRef<{ model: string; id: number | null }>('DataReference').implement({
  description: 'The record that an external id identifies.',
  fields: (t) => ({
    model: t.exposeString('model', { description: "Technical name of the record's model." }),
    id: t.id({
      nullable: true,
      description: 'Record id. Null if the record is not visible to the caller.',
      resolve: ({ id }) => id,
    }),
  }),
});

export const dataReference = defineOperation('dataReference', {
  effects: ['reads'],
  address: 'ir.model.data/check_object_reference',
  policy: { auth: ['USER'], scope: 'read' },
  description:
    'Resolves an external id to a model and record id. If the caller may not read the record, the id is ' +
    'false. With `raise_on_access_error`, an error is raised instead.',
  args: (arg) => ({
    module: arg.string({ required: true, description: 'Module part of the external id, before the dot.' }),
    xmlId: arg.string({ required: true, description: 'Name part of the external id, after the dot.' }),
    raiseOnAccessError: arg.boolean({
      defaultValue: false,
      description: 'True to raise an error if the caller may not read the record.',
    }),
  }),
  type: DataReference,
  returns: facadeResult.json,
  run: async (
    ctx,
    { module, xmlId: name, raiseOnAccessError: raises },
  ): Promise<[string, number | false]> => {
    const namedRecord = await findNamedRecord(ctx, module, name);
    if (!namedRecord) throw createUnknownNameError(`${module}.${name}`);
    if (await isReadable(ctx, namedRecord)) return [namedRecord.model, namedRecord.id];
    if (raises) throw errors.notAllowed(`Not enough access rights on the external ID ${module}.${name}.`);
    return [namedRecord.model, false];
  },
  answer: (_ctx, [model, id]) => ({ model, id: id || null }),
});

async function isReadable(ctx: Ctx, { model, id }: RecordKey): Promise<boolean> {
  if (!canAccessModel(ctx, getModel(ctx, model), 'read')) return false;
  const all = ctx.with({ context: { ...ctx.context, activeTest: false } });
  return (await search(all, model, [['id', '=', id]])).length > 0;
}
