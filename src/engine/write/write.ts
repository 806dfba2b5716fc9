import { sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { checkModel, ruleOf } from '../access/access.ts';
import { modelOf, newStatement } from '../access/reader.ts';
import { checkRows, checkThere } from '../access/row-access.ts';
import { recorded } from '../ctx/audit.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Model, Values } from '../model/model.ts';
import { scopeSql } from '../sql/columns.ts';
import { quote } from '../sql/statement.ts';
import { undone } from '../value/retry.ts';
import { addDefaults } from './defaults.ts';
import { explained, retried } from './explain-refusal.ts';
import { checkLinks, clearTraces, looseLinks, releaseLinks, unlinkAlong } from './loose-links.ts';
import { hasProperties, settleProperties } from './properties.ts';
import { reindex } from './reindex.ts';
import { mayNeedRounding, roundMoney } from './round-amounts.ts';
import type { Gate, Row } from './row.ts';
import { insertSql, isOwn, shapeOf, updateSql } from './row-sql.ts';
import { isPlaced, lockTree, refuseLoops } from './tree.ts';
import { objectOf, rowOf } from './values.ts';
import { applyLists } from './x2many.ts';

/**
 * Creates rows, all or none.
 * @returns their ids in the order given
 * @throws ACCESS_ERROR, BAD_VALUE, VALIDATION, MISSING for a link that leads nowhere
 */
export async function create(ctx: Ctx, name: string, list: Values[]): Promise<number[]> {
  const model = modelOf(ctx, name);
  return recorded(ctx, model, 'create', { values: list }, (inner) => createAll(inner, model, list));
}

async function createAll(ctx: Ctx, model: Model, given: Values[]): Promise<number[]> {
  checkModel(ctx, model, 'create');
  if (given.length > limits.domainValues) throw errors.tooManyRecords(given.length);
  if (given.length === 0) return [];
  return explained(ctx, model, 'create', () =>
    // A transaction that is tried again must not find what the hooks of the first try left in the values.
    model.options.beforeCreate || given.some((values) => hasProperties(model, values))
      ? ctx.tx((tx) => insertAll(tx, model, given.map(objectOf)))
      : insertAll(ctx, model, given.map(objectOf)),
  );
}

async function insertAll(ctx: Ctx, model: Model, list: Values[]): Promise<number[]> {
  const { options } = model;
  await addDefaults(ctx, model, list);
  await options.prepare?.(ctx, list, null);
  await options.beforeCreate?.(ctx, list);
  await settleProperties(ctx, gate, model, list, null);
  const rows = list.map((values) => rowOf(ctx, model, values, 'create'));
  const rule = ruleOf(ctx, model, 'create');
  const shapes = new Set(rows.map(shapeOf));
  const isOneStatement =
    !options.afterCreate &&
    shapes.size === 1 &&
    rows.every((row) => isPlain(model, row)) &&
    (!rule || isOwn(rule, model));
  if (isOneStatement) return retried(ctx, () => insert(ctx, model, rows, true));
  return ctx.tx(async (tx) => {
    await checkLinks(tx, rows);
    const ids = await insertByShape(tx, model, rows);
    await roundMoney(tx, model, ids, rows);
    for (const [index, id] of ids.entries())
      await applyLists(tx, gate, model, [id], rows[index]!.lists, true);
    await reindex(tx, model, ids, rows);
    await options.afterCreate?.(tx, ids, list);
    if (rule) await checkRows(tx, model, ids, 'create');
    return ids;
  });
}

/** Nothing has to follow the insert or update of such a row. */
const isPlain = (model: Model, row: Row): boolean =>
  row.lists.length === 0 && !row.indexed && looseLinks(row).length === 0 && !mayNeedRounding(model, row);

/** Rows with the same columns go in together; ids rise in the order of all, as if they had gone in one by one. */
async function insertByShape(ctx: Ctx, model: Model, rows: Row[]): Promise<number[]> {
  const ids: number[] = new Array(rows.length);
  const [first, other] = new Set(rows.map(shapeOf));
  if (first !== undefined && other !== undefined) await numberRows(ctx, model, rows);
  const shapes = new Map<string, number[]>();
  rows.forEach((row, index) => {
    const places = shapes.get(shapeOf(row));
    if (places) places.push(index);
    else shapes.set(shapeOf(row), [index]);
  });
  for (const places of shapes.values()) {
    const made = await insert(
      ctx,
      model,
      places.map((place) => rows[place]!),
      false,
    );
    for (const [index, place] of places.entries()) ids[place] = made[index]!;
  }
  return ids;
}

/** Takes the ids from the sequence before the rows go in. */
async function numberRows(ctx: Ctx, model: Model, rows: Row[]): Promise<void> {
  const taken = await ctx.db.rows<{ id: number }>(
    sql`select nextval(pg_get_serial_sequence(${quote(model.table)}, 'id')) as id from generate_series(1, ${rows.length})`,
  );
  const id = model.fields.get('id')!;
  rows.forEach((row, index) => {
    row.columns.set(id, taken[index]!.id);
  });
}

async function insert(ctx: Ctx, model: Model, rows: Row[], ruled: boolean): Promise<number[]> {
  const statement = newStatement(ctx);
  const text = insertSql(statement, model, rows, ruled ? ruleOf(ctx, model, 'create') : null);
  const made = await ctx.db.rows<{ id: number }>(text, statement.params);
  return made.map((row) => row.id).sort((a, b) => a - b);
}

/**
 * Writes the same values to all `ids`, all or none. Rules are asked of the rows as they were: whoever may change a record
 * may also hand it over, out of the own reach (Odoo 19).
 * @throws MISSING when one does not exist, ACCESS_ERROR when one is out of reach
 */
export async function write(ctx: Ctx, name: string, ids: number[], given: Values): Promise<true> {
  const model = modelOf(ctx, name);
  return recorded(ctx, model, 'write', { ids, vals: given }, (inner) =>
    writeAll(inner, model, [...new Set(ids)], given),
  );
}

async function writeAll(ctx: Ctx, model: Model, ids: number[], given: Values): Promise<true> {
  checkModel(ctx, model, 'write');
  objectOf(given);
  if (ids.length === 0) return true;
  await explained(ctx, model, 'write', async () => {
    const { options } = model;
    // What completes the values of several may have to write some of them by itself.
    const isWhole = options.beforeWrite || isPlaced(model, given) || hasProperties(model, given);
    if (isWhole || (options.prepare && ids.length > 1))
      return ctx.tx((tx) => updateAll(tx, model, ids, objectOf(given)));
    const values = objectOf(given);
    await options.prepare?.(ctx, [values], ids);
    await settleProperties(ctx, gate, model, [values], ids);
    const row = rowOf(ctx, model, values, 'write');
    const isOneStatement =
      ids.length === 1 && !options.afterWrite && isPlain(model, row) && !isMoved(model, values);
    if (!isOneStatement) return ctx.tx((tx) => updateRows(tx, model, ids, row, values));
    return retried(ctx, () => updateOne(ctx, model, ids[0]!, row));
  });
  return true;
}

async function updateAll(ctx: Ctx, model: Model, ids: number[], values: Values): Promise<void> {
  // A hook may have to hold other rows first, so these are held after it.
  await checkThere(ctx, model, ids, 'write');
  await model.options.prepare?.(ctx, [values], ids);
  await model.options.beforeWrite?.(ctx, values, ids);
  if (isPlaced(model, values)) await lockTree(ctx, model);
  await settleProperties(ctx, gate, model, [values], ids);
  await updateRows(ctx, model, ids, rowOf(ctx, model, values, 'write'), values, true);
}

async function updateRows(
  ctx: Ctx,
  model: Model,
  ids: number[],
  row: Row,
  values: Values,
  checked = false,
): Promise<void> {
  if (!checked) await checkThere(ctx, model, ids, 'write', 'no key update');
  await checkLinks(ctx, [row]);
  const statement = newStatement(ctx);
  const text = updateSql(statement, model, ids, row, null);
  if (text) await ctx.db.rows(text, statement.params);
  await roundMoney(ctx, model, ids, [row]);
  await applyLists(ctx, gate, model, ids, row.lists, false);
  await reindex(ctx, model, ids, [row]);
  if (isPlaced(model, values)) await refuseLoops(ctx, model, ids);
  await model.options.afterWrite?.(ctx, ids, values);
  if (isMoved(model, values)) await checkRows(ctx, model, ids, 'write');
}

/** What hangs on a record may not be hung on one that is out of reach. */
function isMoved({ options: { follows } }: Model, values: Values): boolean {
  return follows !== undefined && (follows.model in values || follows.id in values);
}

/** One row, its rules and its change in one statement. */
async function updateOne(ctx: Ctx, model: Model, id: number, row: Row): Promise<void> {
  const statement = newStatement(ctx);
  const text = updateSql(statement, model, [id], row, ruleOf(ctx, model, 'write'));
  const done = text ? await ctx.db.rows(text, statement.params) : [];
  if (done.length > 0) return;
  await checkThere(ctx, model, [id], 'write');
  // Others have just brought the row within reach.
  if (text) throw undone();
}

/**
 * Deletes `ids`, all or none.
 * @throws MISSING when one does not exist, ACCESS_ERROR when one is out of reach, VALIDATION when others need it
 */
export async function unlink(ctx: Ctx, name: string, ids: number[]): Promise<true> {
  const model = modelOf(ctx, name);
  return recorded(ctx, model, 'unlink', { ids }, (inner) => unlinkAll(inner, model, [...new Set(ids)]));
}

async function unlinkAll(ctx: Ctx, model: Model, ids: number[]): Promise<true> {
  checkModel(ctx, model, 'unlink');
  if (ids.length === 0) return true;
  const { beforeUnlink } = model.options;
  await explained(ctx, model, 'unlink', () =>
    ctx.tx(async (tx) => {
      if (beforeUnlink) {
        await checkThere(tx, model, ids, 'unlink');
        await beforeUnlink(tx, ids);
        // The hook may have deleted some of them.
        await checkRows(tx, model, ids, 'unlink', 'update');
      } else await checkThere(tx, model, ids, 'unlink', 'update');
      await releaseLinks(tx, gate, model, ids);
      await clearTraces(tx, model, ids);
      await tx.db.rows(
        `delete from ${quote(model.table)} t where ${scopeSql(model, 't')} and t.id = any($2)`,
        [tx.workspace.id, ids],
      );
      await unlinkAlong(tx, gate, model, ids);
    }),
  );
  return true;
}

const gate: Gate = { create, write, unlink };
