import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { modelOf, newStatement } from '../access/reader.ts';
import { lockSql } from '../access/row-access.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { columnSql, looseLinksTo, scopeSql, sourceSql } from '../sql/columns.ts';
import { rowsOf } from '../sql/statement.ts';
import type { Row, Writer } from './row.ts';

// What foreign keys do in the database, for links that have none: those of custom fields, and to models of code.

const LOG = new Set(['create_uid', 'write_uid']);

/** Every loose link of the rows must lead to a record of the workspace. @throws MISSING */
export async function checkLinks(ctx: Ctx, rows: Row[]): Promise<void> {
  const wanted = new Map<Field, Set<number>>();
  for (const [field, id] of rows.flatMap((row) => [...row.loose]))
    wanted.set(field, (wanted.get(field) ?? new Set()).add(id));
  for (const [field, ids] of wanted) await checkTargets(ctx, field, [...ids]);
}

async function checkTargets(ctx: Ctx, field: Field, ids: number[]): Promise<void> {
  const target = modelOf(ctx, field.relation!);
  const found = await ctx.db.rows(
    sql`select t.id from ${sourceSql(newStatement(ctx), rowsOf(target))}
      and t.id = any(${ids})${lockSql(target, 'key share')}`,
  );
  if (found.length < ids.length) throw errors.missingLink(field.label, field.name);
}

/** Before records go: what leads to them is cleared, or keeps them. @throws VALIDATION */
export async function releaseLinks(ctx: Ctx, model: Model, ids: number[]): Promise<void> {
  for (const link of linksTo(ctx, model))
    if (link.field.onDelete !== 'cascade') await release(ctx, link, ids);
}

/** Once records are gone: what goes with them. Not before, so that records that hold each other come to an end. */
export async function unlinkLinked(ctx: Ctx, writer: Writer, model: Model, ids: number[]): Promise<void> {
  for (const link of linksTo(ctx, model)) {
    if (link.field.onDelete !== 'cascade') continue;
    const linked = await linkedIds(ctx, link, ids);
    if (linked.length > 0) await writer.unlink(ctx.system(), link.model.name, linked);
  }
}

type Link = ReturnType<typeof looseLinksTo>[number];

const linksTo = (ctx: Ctx, model: Model): Link[] =>
  looseLinksTo(ctx.catalog.registry, model.name).filter(({ field }) => !LOG.has(field.name));

async function release(ctx: Ctx, link: Link, ids: number[]): Promise<void> {
  const { model, field } = link;
  if (field.onDelete === 'set null' && !field.required) {
    const cleared = field.custom
      ? sql`custom = t.custom - ${sql.literal(field.name)}`
      : sql`${sql.id(field.name)} = null`;
    await ctx.db.rows(sql`update ${sql.id(model.table)} t set ${cleared} where ${leadingTo(ctx, link, ids)}`);
  } else if ((await linkedIds(ctx, link, ids)).length > 0) throw errors.stillUsed(model, field);
}

/** The condition on the rows that lead to one of `ids`. */
function leadingTo(ctx: Ctx, { model, field }: Link, ids: number[]): Sql {
  const statement = newStatement(ctx);
  const source = rowsOf(model);
  return sql`${scopeSql(statement, source)} and ${columnSql(statement, source, field)} = any(${ids})`;
}

async function linkedIds(ctx: Ctx, link: Link, ids: number[]): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select t.id from ${sql.id(link.model.table)} t where ${leadingTo(ctx, link, ids)}`,
  );
  return rows.map((row) => row.id);
}

/** What goes with records that it names by model and id. */
export async function clearTraces(ctx: Ctx, model: Model, ids: number[]): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const [name, gone] = [sql.param(model.name), sql.param(ids)];
  const traces = [...ctx.catalog.registry.values()].flatMap((trace) => {
    const named = trace.options.goesWith ?? trace.options.follows;
    if (!named || trace.name === model.name) return [];
    return sql`delete from ${sql.id(trace.table)} where workspace_id = ${workspace}
      and ${sql.id(named.model)} = ${name} and ${sql.id(named.id)} = any(${gone})`;
  });
  if (traces.length > 0) {
    const steps = traces.map((trace, index) => sql`${sql.id(`d${index}`)} as (${trace})`);
    await ctx.db.rows(sql`with ${sql.join(steps)} select`);
  }
  if (model.extensible) await clearCustom(ctx, model, ids);
}

/** Links and look-ups of custom fields, on either side. */
async function clearCustom(ctx: Ctx, model: Model, ids: number[]): Promise<void> {
  const custom = [...ctx.catalog.registry.values()].flatMap((one) =>
    [...one.fields.values()].filter((f) => f.custom).map((field) => ({ one, field })),
  );
  const own = custom.filter(({ one }) => one.name === model.name).map(({ field }) => field.custom!.id);
  const back = custom
    .filter(({ field }) => field.type === 'many2many' && field.relation === model.name)
    .map(({ field }) => field.custom!.id);
  if (own.length + back.length === 0) return;
  await ctx.db.rows(
    sql`delete from ir_record_link where workspace_id = ${ctx.workspace.id}
     and ((field_id = any(${own}) and self_id = any(${ids})) or (field_id = any(${back}) and other_id = any(${ids})))`,
  );
  await ctx.db.rows(
    sql`delete from ir_field_file where workspace_id = ${ctx.workspace.id} and field_id = any(${own})
      and record_id = any(${ids})`,
  );
  await ctx.db.rows(
    sql`delete from ir_field_index where workspace_id = ${ctx.workspace.id} and field_id = any(${own})
      and record_id = any(${ids})`,
  );
}
