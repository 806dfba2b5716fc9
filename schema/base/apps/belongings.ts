import type { App } from '../../../apps/kit/app.ts';
import { buildSettingKey } from '../../../apps/kit/settings.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { getPrismaModels, isTenantModel, toTableName } from '../../../src/db/tripwire.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';

// Data to remove along with apps: rows in the apps' tables, rows attached to them, and custom fields that depend on
// them.

export interface RemovedPart {
  table: string;
  /** Column that contains a removed model's name or a removed field's id. If absent, all rows are removed. */
  by?: { column: string; is: 'model' | 'field' };
  /** Model of the table. External ids of its records are removed as well. */
  model?: string;
}

interface AddedField {
  id: number;
  model: string;
  name: string;
  /** Table that contains the values. Null if the values are removed with their records, or the field has none. */
  table: string | null;
  /** Id of a custom model. Custom models share a table. */
  modelId: number | null;
}

/** Stored as `plan` in `svc_app_removal`, so that another process can resume the removal. */
export interface Belongings {
  models: string[];
  parts: RemovedPart[];
  /** Custom fields that cannot exist without the apps. */
  fields: AddedField[];
  groups: string[];
  privileges: string[];
  /** Module prefixes of the apps' external ids. */
  modules: string[];
  parameters: string[];
}

/** @param remainingRegistry the workspace's models and fields after the removal */
export async function collectBelongings(
  ctx: Ctx,
  apps: readonly App[],
  remainingRegistry: Registry,
): Promise<Belongings> {
  const { registry } = ctx.runtime;
  const removedApps = new Set(apps.map(({ name }) => name));
  const removedModels = [...registry.values()].filter(({ module }) => removedApps.has(module ?? ''));
  const groups = apps.flatMap((app) => app.groups.map(({ id }) => id));
  return {
    models: removedModels.map(({ name }) => name),
    parts: [
      ...LOOKUP_PARTS,
      ...findReferencingTables(registry),
      ...findAppTables(registry, apps, removedModels).map((table) => ({ table })),
    ],
    fields: await findBrokenFields(ctx, remainingRegistry),
    groups,
    privileges: apps.flatMap((app) => app.groups.flatMap(({ privilege }) => privilege ?? [])),
    modules: [
      ...new Set([
        ...apps.flatMap(({ name, models: prefixes }) => [name, ...prefixes]),
        ...groups.map(getModulePrefix),
      ]),
    ],
    parameters: apps.flatMap(({ name, settings }) =>
      settings.map((setting) => buildSettingKey(name, setting.name)),
    ),
  };
}

const getModulePrefix = (id: string): string => id.split('.')[0]!;

const LOOKUP_PARTS: RemovedPart[] = ['ir_record_link', 'ir_field_index', 'ir_field_file'].map((table) => ({
  table,
  by: { column: 'field_id', is: 'field' },
}));

/** Finds the tables whose rows refer to any record by model and id, such as messages and attachments. */
const findReferencingTables = (registry: Registry): RemovedPart[] =>
  [...registry.values()].flatMap(({ name: model, table, options: { goesWith, follows } }) => {
    const reference = goesWith ?? follows;
    return reference ? { table, model, by: { column: reference.model, is: 'model' as const } } : [];
  });

/** Finds the tables of the apps' models, their link tables, and the apps' tables without a model. */
function findAppTables(registry: Registry, apps: readonly App[], removedModels: readonly Model[]): string[] {
  const prefixes = new Set(apps.flatMap((app) => app.models));
  const removedNames = new Set(removedModels.map(({ name }) => name));
  const otherTables = new Set(
    [...registry.values()].flatMap(({ name, table }) => (removedNames.has(name) ? [] : table)),
  );
  const linkTables = [...registry.values()].flatMap((model) =>
    [...model.fields.values()].flatMap(({ join, relation }) =>
      join && (removedNames.has(model.name) || removedNames.has(relation ?? '')) ? join.table : [],
    ),
  );
  const prefixedTables = Object.keys(getPrismaModels())
    .filter(isTenantModel)
    .map(toTableName)
    .filter((table) => prefixes.has(table.split('_')[0]!));
  return [...new Set([...linkTables, ...prefixedTables, ...removedModels.map(({ table }) => table)])].filter(
    (table) => !otherTables.has(table),
  );
}

async function findBrokenFields(
  { db, workspace, catalog }: Ctx,
  remainingRegistry: Registry,
): Promise<AddedField[]> {
  const addedFields = await db.rows<Pick<AddedField, 'id' | 'model' | 'name'>>(
    sql`select id, model, name from ir_model_fields where workspace_id = ${workspace.id} order by id`,
  );
  return addedFields
    .filter(({ model, name }) => {
      const remains = remainingRegistry.get(model)?.fields.has(name);
      return catalog.registry.get(model)?.fields.has(name) && !remains;
    })
    .map((field) => {
      const model = remainingRegistry.get(field.model);
      return { ...field, table: model?.table ?? null, modelId: model?.customId ?? null };
    });
}

/** Builds the condition for the part's rows, with the table alias `f`. */
export const buildRemovedRowsCondition = (
  { models: names, fields }: Belongings,
  { by }: RemovedPart,
): Sql => {
  if (!by) return sql`true`;
  const column = sql`f.${sql.id(by.column)}`;
  return by.is === 'model'
    ? sql`${column} = any(${names})`
    : sql`${column} = any(${fields.map(({ id }) => id)}::int[])`;
};
