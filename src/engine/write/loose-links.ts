import { sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { modelOf, newStatement } from '../access/reader.ts';
import { holdSql } from '../access/row-access.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { columnSql, looseLinksTo, scopeSql, tableOf } from '../sql/columns.ts';
import { quote, text } from '../sql/statement.ts';
import type { Gate, Row } from './row.ts';

// What foreign keys do in the database, for links that have none: those of custom fields, and to models of code.

const LOG = new Set(['create_uid', 'write_uid']);

/** Every loose link of the rows must lead to a record of the workspace. @throws MISSING */
export async function checkLinks(ctx: Ctx, rows: Row[]): Promise<void> {
  const wanted = new Map<Field, Set<number>>();
  for (const [field, id] of rows.flatMap(looseLinks))
    wanted.set(field, (wanted.get(field) ?? new Set()).add(id));
  for (const [field, ids] of wanted) await checkThere(ctx, field, [...ids]);
}

/** Links of the row that no foreign key guards. */
export const looseLinks = (row: Row): [Field, number][] =>
  [...row.columns, ...row.links].filter(
    (link): link is [Field, number] =>
      link[0].loose === true && !LOG.has(link[0].name) && typeof link[1] === 'number',
  );

async function checkThere(ctx: Ctx, field: Field, ids: number[]): Promise<void> {
  const target = modelOf(ctx, field.relation!);
  const found = await ctx.db.rows(
    `select t.id from ${tableOf(target)} t where ${scopeSql(target, 't')} and t.id = any($2)${holdSql(target, 'key share')}`,
    [ctx.workspace.id, ids],
  );
  if (found.length < ids.length) throw errors.missingLink(field.label, field.name);
}

/** Before records go: what leads to them is cleared, or keeps them. @throws VALIDATION */
export const releaseLinks = (ctx: Ctx, gate: Gate, model: Model, ids: number[]): Promise<void> =>
  releaseAll(ctx, gate, model, ids, (field) => field.onDelete !== 'cascade');

/** Once records are gone: what goes with them. Not before, so that records that hold each other come to an end. */
export const unlinkAlong = (ctx: Ctx, gate: Gate, model: Model, ids: number[]): Promise<void> =>
  releaseAll(ctx, gate, model, ids, (field) => field.onDelete === 'cascade');

async function releaseAll(
  ctx: Ctx,
  gate: Gate,
  model: Model,
  ids: number[],
  which: (field: Field) => boolean,
) {
  for (const { model: holder, field } of looseLinksTo(ctx.catalog.registry, model.name))
    if (!LOG.has(field.name) && which(field)) await release(ctx, gate, holder, field, ids);
}

async function release(ctx: Ctx, gate: Gate, holder: Model, field: Field, ids: number[]): Promise<void> {
  const column = columnSql(newStatement(ctx), holder, field, 't');
  const where = `${scopeSql(holder, 't')} and ${column} = any($2)`;
  const params = [ctx.workspace.id, ids];
  if (field.onDelete === 'set null' && !field.required) {
    const cleared = field.custom ? `custom = t.custom - ${text(field.name)}` : `${quote(field.name)} = null`;
    await ctx.db.rows(`update ${quote(holder.table)} t set ${cleared} where ${where}`, params);
    return;
  }
  const rows = await ctx.db.rows<{ id: number }>(
    `select t.id from ${quote(holder.table)} t where ${where}`,
    params,
  );
  if (rows.length === 0) return;
  if (field.onDelete !== 'cascade') throw errors.stillUsed(holder, field);
  await gate.unlink(
    ctx.system(),
    holder.name,
    rows.map((row) => row.id),
  );
}

/** What goes with records that it names by model and id. */
export async function clearTraces(ctx: Ctx, model: Model, ids: number[]): Promise<void> {
  const traces = [...ctx.catalog.registry.values()].flatMap((trace) => {
    const named = trace.options.goesWith ?? trace.options.follows;
    if (!named || trace.name === model.name) return [];
    return `delete from ${quote(trace.table)} where workspace_id = $1 and ${quote(named.model)} = $2 and ${quote(named.id)} = any($3)`;
  });
  if (traces.length > 0) {
    const steps = traces.map((text, index) => `d${index} as (${text})`);
    await ctx.db.rows(`with ${steps.join(', ')} select`, [ctx.workspace.id, model.name, ids]);
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
    sql`delete from ir_field_index where workspace_id = ${ctx.workspace.id} and field_id = any(${own}) and record_id = any(${ids})`,
  );
}
