import { memoizePerObject } from '../../../cache.ts';
import { type Sql, sql } from '../../../db/sql.ts';
import { errors } from '../../../errors.ts';
import { createStatement, getModel } from '../../access/create-statement.ts';
import { buildLockSql } from '../../access/row-access.ts';
import type { Ctx } from '../../ctx/ctx.ts';
import { type Field, isStoredField } from '../../model/field.ts';
import type { Model, Registry } from '../../model/model.ts';
import { buildColumnSql, buildScopeSql, buildSourceSql, findLooseLinks } from '../../sql/columns.ts';
import { getMainSource } from '../../sql/statement.ts';
import type { RecordWriter, WritableRow } from '../row.ts';

// Implements foreign key behavior for links without a foreign key: custom fields, and links to models defined in code.

const LOG_FIELDS = new Set(['create_uid', 'write_uid']);

/** @throws MISSING if a loose link in the rows references a missing record */
export async function assertLinksExist(ctx: Ctx, rows: WritableRow[]): Promise<void> {
  const idsByField = new Map<Field, Set<number>>();
  for (const [field, id] of rows.flatMap((row) => [...row.loose]))
    idsByField.set(field, (idsByField.get(field) ?? new Set<number>()).add(id));
  for (const [field, ids] of idsByField) await assertTargetsExist(ctx, field, [...ids]);
}

async function assertTargetsExist(ctx: Ctx, field: Field, ids: number[]): Promise<void> {
  const target = getModel(ctx, field.relation!);
  const targetRows = await ctx.db.rows(
    sql`select t.id from ${buildSourceSql(createStatement(ctx), getMainSource(target))}
      and t.id = any(${ids})${buildLockSql(target, 'key share')}`,
  );
  if (targetRows.length < ids.length) throw errors.missingLink(field.label, field.name);
}

/**
 * Clears links to records before the records are deleted.
 * @throws VALIDATION if a link prevents the deletion
 */
export async function releaseLinks(ctx: Ctx, model: Model, ids: number[]): Promise<void> {
  for (const link of findLinksTo(ctx, model))
    if (link.field.onDelete !== 'cascade') await releaseLink(ctx, link, ids);
}

/** Deletes dependent records after the deletion itself, so that cyclic references terminate. */
export async function unlinkCascaded(
  ctx: Ctx,
  writer: RecordWriter,
  model: Model,
  ids: number[],
): Promise<void> {
  for (const link of findLinksTo(ctx, model)) {
    if (link.field.onDelete !== 'cascade') continue;
    const linkedIds = await loadLinkedIds(ctx, link, ids);
    if (linkedIds.length > 0) await writer.unlink(ctx.system(), link.model.name, linkedIds);
  }
}

type LooseLink = ReturnType<typeof findLooseLinks>[number];

const findLinksTo = (ctx: Ctx, model: Model): LooseLink[] =>
  findLooseLinks(ctx.catalog.registry, model.name).filter(({ field }) => !LOG_FIELDS.has(field.name));

async function releaseLink(ctx: Ctx, link: LooseLink, ids: number[]): Promise<void> {
  const { model, field } = link;
  if (field.onDelete === 'set null' && !field.required) {
    const clearedSql = field.custom
      ? sql`custom = t.custom - ${sql.literal(field.name)}`
      : sql`${sql.id(field.name)} = null`;
    await ctx.db.rows(
      sql`update ${sql.id(model.table)} t set ${clearedSql} where ${buildLinkConditionSql(ctx, link, ids)}`,
    );
  } else if ((await loadLinkedIds(ctx, link, ids)).length > 0) throw errors.stillUsed(model, field);
}

function buildLinkConditionSql(ctx: Ctx, { model, field }: LooseLink, ids: number[]): Sql {
  const statement = createStatement(ctx);
  const source = getMainSource(model);
  return sql`${buildScopeSql(statement, source)} and ${buildColumnSql(statement, source, field)} = any(${ids})`;
}

async function loadLinkedIds(ctx: Ctx, link: LooseLink, ids: number[]): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select t.id from ${sql.id(link.model.table)} t where ${buildLinkConditionSql(ctx, link, ids)}`,
  );
  return rows.map((row) => row.id);
}

export async function deleteReferencingRows(ctx: Ctx, model: Model, ids: number[]): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const [name, recordIds] = [sql.param(model.name), sql.param(ids)];
  const traces = [...ctx.catalog.registry.values()].flatMap((trace) => {
    const linkName = trace.options.goesWith ?? trace.options.follows;
    if (!linkName || trace.name === model.name) return [];
    return sql`delete from ${sql.id(trace.table)} where workspace_id = ${workspace}
      and ${sql.id(linkName.model)} = ${name} and ${sql.id(linkName.id)} = any(${recordIds})`;
  });
  if (traces.length > 0) {
    const steps = traces.map((trace, index) => sql`${sql.id(`d${index}`)} as (${trace})`);
    await ctx.db.rows(sql`with ${sql.join(steps)} select`);
  }
  await deleteCustomData(ctx, model, ids);
}

/** Deletes the separately stored data of records, and of records that foreign keys delete with them. */
async function deleteCustomData(
  ctx: Ctx,
  model: Model,
  ids: number[],
  visitedModels = new Set<string>(),
): Promise<void> {
  if (model.extensible) await deleteCustomLinks(ctx, model, ids);
  for (const link of getCascades(ctx.catalog.registry)) {
    if (link.field.relation !== model.name) continue;
    const key = (id: number) => `${link.model.name} ${id}`;
    const linkedIds = (await loadLinkedIds(ctx, link, ids)).filter((id) => !visitedModels.has(key(id)));
    for (const id of linkedIds) visitedModels.add(key(id));
    if (linkedIds.length > 0) await deleteCustomData(ctx, link.model, linkedIds, visitedModels);
  }
}

/** Returns the cascading foreign keys through which a deletion may reach rows with separately stored data. */
const getCascades = memoizePerObject((registry: Registry): LooseLink[] => {
  const links = [...registry.values()].flatMap((model) =>
    [...model.fields.values()]
      .filter((f) => f.type === 'many2one' && f.onDelete === 'cascade' && !f.loose && isStoredField(f))
      .map((field) => ({ model, field })),
  );
  const cascades = new Set(
    [...registry.values()]
      .filter(({ fields }) => [...fields.values()].some(({ custom }) => custom))
      .map(({ name }) => name),
  );
  for (let before = -1; before < cascades.size; ) {
    before = cascades.size;
    for (const { model, field } of links) if (cascades.has(model.name)) cascades.add(field.relation!);
  }
  return links.filter(({ model }) => cascades.has(model.name));
});

/** Deletes the links (in both directions), files and index entries of custom fields. */
async function deleteCustomLinks(ctx: Ctx, model: Model, ids: number[]): Promise<void> {
  const custom = [...ctx.catalog.registry.values()].flatMap((item) =>
    [...item.fields.values()].filter((f) => f.custom).map((field) => ({ one: item, field })),
  );
  const fieldIds = custom.filter(({ one }) => one.name === model.name).map(({ field }) => field.custom!.id);
  const back = custom
    .filter(({ field }) => field.type === 'many2many' && field.relation === model.name)
    .map(({ field }) => field.custom!.id);
  if (fieldIds.length + back.length === 0) return;
  await ctx.db.rows(
    sql`delete from ir_record_link where workspace_id = ${ctx.workspace.id}
     and ((field_id = any(${fieldIds}) and self_id = any(${ids}))
          or (field_id = any(${back}) and other_id = any(${ids})))`,
  );
  await ctx.db.rows(
    sql`delete from ir_field_file where workspace_id = ${ctx.workspace.id} and field_id = any(${fieldIds})
      and record_id = any(${ids})`,
  );
  await ctx.db.rows(
    sql`delete from ir_field_index where workspace_id = ${ctx.workspace.id} and field_id = any(${fieldIds})
      and record_id = any(${ids})`,
  );
}
