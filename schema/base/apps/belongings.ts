import type { App } from '../../../apps/kit/app.ts';
import { buildSettingKey } from '../../../apps/kit/settings.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { getPrismaModels, isTenantModel, toTableName } from '../../../src/db/tripwire.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';

// What of a workspace goes with apps: the rows of their tables, what hangs on these, and what was added to them.

/** Rows of a table that go. */
export interface RemovedPart {
  table: string;
  /** They go where this column names one of the models, or one of the fields; without it, all go. */
  by?: { column: string; is: 'model' | 'field' };
  /** Of rows that hang on records: the model that they are of. */
  model?: string;
}

/** A field that the workspace has added; `table` has its values. */
interface AddedField {
  id: number;
  model: string;
  name: string;
  /** null: its values go with their records, or it has none. */
  table: string | null;
  /** Of a custom model, whose records are in one table with those of others. */
  modelId: number | null;
}

/** As it is kept while the apps are removed. */
export interface Belongings {
  /** Names of the models of the apps. */
  models: string[];
  parts: RemovedPart[];
  /** Fields that do not stand without the apps. */
  fields: AddedField[];
  /** External ids of groups. */
  groups: string[];
  /** Names of what groups are levels of. */
  privileges: string[];
  /** The first parts of the external ids that belong to the apps. */
  modules: string[];
  /** Keys of system parameters. */
  parameters: string[];
}

/** @param left the models and fields that the workspace has without the apps */
export async function collectBelongings(ctx: Ctx, apps: readonly App[], left: Registry): Promise<Belongings> {
  const { registry } = ctx.runtime;
  const going = new Set(apps.map(({ name }) => name));
  const gone = [...registry.values()].filter(({ module }) => going.has(module ?? ''));
  const groups = apps.flatMap((app) => app.groups.map(({ id }) => id));
  return {
    models: gone.map(({ name }) => name),
    parts: [
      ...LOOK_UPS,
      ...findTraces(registry),
      ...findAppTables(registry, apps, gone).map((table) => ({ table })),
    ],
    fields: await findBrokenFields(ctx, left),
    groups,
    privileges: apps.flatMap((app) => app.groups.flatMap(({ privilege }) => privilege ?? [])),
    modules: [
      ...new Set([
        ...apps.flatMap(({ name, models: words }) => [name, ...words]),
        ...groups.map(getModulePrefix),
      ]),
    ],
    parameters: apps.flatMap(({ name, settings }) =>
      settings.map((each) => buildSettingKey(name, each.name)),
    ),
  };
}

const getModulePrefix = (id: string): string => id.split('.')[0]!;

/** Links, look-ups and files of fields that workspaces have added. */
const LOOK_UPS: RemovedPart[] = ['ir_record_link', 'ir_field_index', 'ir_field_file'].map((table) => ({
  table,
  by: { column: 'field_id', is: 'field' },
}));

/** What names a record by model and id, such as messages and attachments. */
const findTraces = (registry: Registry): RemovedPart[] =>
  [...registry.values()].flatMap(({ name: model, table, options: { goesWith, follows } }) => {
    const named = goesWith ?? follows;
    return named ? { table, model, by: { column: named.model, is: 'model' as const } } : [];
  });

/** Tables of the apps: of their models, those that link these, and those that code of the apps uses without a model. */
function findAppTables(registry: Registry, apps: readonly App[], gone: readonly Model[]): string[] {
  const words = new Set(apps.flatMap((app) => app.models));
  const names = new Set(gone.map(({ name }) => name));
  const others = new Set([...registry.values()].flatMap(({ name, table }) => (names.has(name) ? [] : table)));
  const links = [...registry.values()].flatMap((model) =>
    [...model.fields.values()].flatMap(({ join, relation }) =>
      join && (names.has(model.name) || names.has(relation ?? '')) ? join.table : [],
    ),
  );
  const named = Object.keys(getPrismaModels())
    .filter(isTenantModel)
    .map(toTableName)
    .filter((table) => words.has(table.split('_')[0]!));
  return [...new Set([...links, ...named, ...gone.map(({ table }) => table)])].filter(
    (table) => !others.has(table),
  );
}

async function findBrokenFields({ db, workspace, catalog }: Ctx, left: Registry): Promise<AddedField[]> {
  const added = await db.rows<Pick<AddedField, 'id' | 'model' | 'name'>>(
    sql`select id, model, name from ir_model_fields where workspace_id = ${workspace.id} order by id`,
  );
  return added
    .filter(({ model, name }) => {
      const stands = left.get(model)?.fields.has(name);
      return catalog.registry.get(model)?.fields.has(name) && !stands;
    })
    .map((field) => {
      const model = left.get(field.model);
      return { ...field, table: model?.table ?? null, modelId: model?.customId ?? null };
    });
}

/** The rows `f` of a part that go; all where nothing else is said. */
export const buildRemovedRows = ({ models: names, fields }: Belongings, { by }: RemovedPart): Sql => {
  if (!by) return sql`true`;
  const column = sql`f.${sql.id(by.column)}`;
  return by.is === 'model'
    ? sql`${column} = any(${names})`
    : sql`${column} = any(${fields.map(({ id }) => id)}::int[])`;
};
