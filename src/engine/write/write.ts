import { serializationFailure } from '../../db/pool.ts';
import { sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { eachInTurns, mapInTurns } from '../../loop/others-first.ts';
import { checkModel, ruleOf } from '../access/access.ts';
import { checkAgentChange } from '../access/agents.ts';
import { modelOf, newStatement } from '../access/reader.ts';
import { checkRows, checkThere } from '../access/row-access.ts';
import { recorded } from '../ctx/audit.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { newIds } from '../ctx/new-ids.ts';
import type { Node } from '../domain/node.ts';
import type { Model, Values } from '../model/model.ts';
import { scopeSql } from '../sql/columns.ts';
import { rowsOf, type Source } from '../sql/statement.ts';
import { keepFiles, reindex } from './beside.ts';
import { changeWithOthers } from './change-together.ts';
import { addDefaults, leaveStarts } from './defaults.ts';
import { explained, retried } from './explain-refusal.ts';
import { cleanBeside, cleanRows } from './html.ts';
import { applyLists } from './list-commands.ts';
import { checkLinks, clearTraces, releaseLinks, unlinkLinked } from './loose-links.ts';
import { isMoved, isPlaced, planCreate, planInsert, planUpdate, planWrite, propertyFields } from './plan.ts';
import { settleProperties } from './properties.ts';
import { type Returned, returnedBy, returnedSql } from './returned.ts';
import { roundMoney } from './round-amounts.ts';
import type { Row, Update, Writer } from './row.ts';
import { insertSql, slicesOf, updateSql } from './row-sql.ts';
import { lockTree, refuseLoops } from './tree.ts';
import { makePlain, objectOf, rowOf } from './values.ts';
import { checkVisibleLinks } from './visible-links.ts';

/**
 * Creates rows, all or none.
 * @param returned what to give back of them, if it can be
 * @returns their ids in the order given
 * @throws ACCESS_ERROR, BAD_VALUE, VALIDATION, MISSING for a link that leads nowhere
 */
export async function create(ctx: Ctx, name: string, list: Values[], returned?: Returned): Promise<number[]> {
  const model = modelOf(ctx, name);
  return recorded(ctx, model, 'create', { values: list }, (inner) => createAll(inner, model, list, returned));
}

async function createAll(ctx: Ctx, model: Model, given: Values[], returned?: Returned): Promise<number[]> {
  checkAgentChange(ctx, model, 'create', given);
  checkModel(ctx, model, 'create');
  if (given.length > limits.domain.values) throw errors.tooManyRecords(given.length);
  const { way } = planCreate(model, given);
  if (way === 'nothing') return [];
  await checkVisibleLinks(ctx, model, [...given, ctx.context.defaults]);
  await cleanBeside(ctx, model, given, true);
  const insert = async (inner: Ctx) => insertAll(inner, model, await mapInTurns(given, objectOf), returned);
  return explained(ctx, model, 'create', () => (way === 'transaction' ? ctx.tx(insert) : insert(ctx)));
}

/** Completes the values and inserts them. */
async function insertAll(ctx: Ctx, model: Model, list: Values[], returned?: Returned): Promise<number[]> {
  await leaveStarts(ctx, model, list);
  await addDefaults(ctx, model, list);
  await eachInTurns(list, (values) => makePlain(model, values));
  await model.options.prepare?.(ctx, list, null);
  await model.options.beforeCreate?.(ctx, list);
  await settle(ctx, model, list, null);
  const rows = await mapInTurns(list, (values) => rowOf(ctx, model, values, 'create'));
  await cleanRows(ctx, rows);
  await numberRows(ctx, model, rows);
  const rule = ruleOf(ctx, model, 'create');
  if (planInsert(model, rows, rule).way === 'steps')
    return ctx.tx((tx) => insertInSteps(tx, model, rows, list));
  const insert = () => retried(ctx, () => insertRows(ctx, model, rows, rule, returned));
  if (rows.length > 1) return insert();
  const [row] = rows as [Row];
  const id = row.columns.get(model.fields.get('id')!) as number;
  await changeWithOthers({ ctx, change: 'insert', model, id, row, rule, returned }, insert);
  return [id];
}

/** Most models have no properties. @param ids null for new records */
const settle = async (ctx: Ctx, model: Model, list: Values[], ids: number[] | null): Promise<void> =>
  propertyFields(model).length > 0 ? settleProperties(ctx, writer, { model, list, ids }) : undefined;

async function insertInSteps(ctx: Ctx, model: Model, rows: Row[], list: Values[]): Promise<number[]> {
  if (rows.some((row) => row.loose.size > 0)) await checkLinks(ctx, rows);
  const ids = await insertByShape(ctx, model, rows);
  if (rows.some((row) => row.files.size > 0))
    for (const [index, id] of ids.entries()) await keepFiles(ctx, [id], rows[index]!);
  if (rows.some((row) => row.fractional)) await roundMoney(ctx, model, ids, rows);
  for (const [index, id] of ids.entries()) {
    const { lists } = rows[index]!;
    if (lists.length > 0) await applyLists(ctx, writer, { model, ids: [id], lists, isNew: true });
  }
  if (rows.some((row) => row.indexed)) await reindex(ctx, model, ids);
  await model.options.afterCreate?.(ctx, ids, list);
  if (ruleOf(ctx, model, 'create')) await checkRows(ctx, model, ids, 'create');
  return ids;
}

/** Rows with the same columns go in together. */
async function insertByShape(ctx: Ctx, model: Model, rows: Row[]): Promise<number[]> {
  const ids: number[] = new Array(rows.length);
  for (const { rows: alike, places } of await slicesOf(rows)) {
    const made = await insertRows(ctx, model, alike, null);
    for (const [index, place] of places.entries()) ids[place] = made[index]!;
  }
  return ids;
}

/** The ids are known before the rows go in, in the order of all. */
async function numberRows(ctx: Ctx, model: Model, rows: Row[]): Promise<void> {
  const ids = await newIds(ctx, model.table, rows.length);
  const id = model.fields.get('id')!;
  rows.forEach((row, index) => {
    row.columns.set(id, ids[index]!);
  });
}

/** A row that a statement has changed. */
interface Changed {
  id: number;
  /** Where it was wanted. */
  json?: string;
}

/** Inserts rows of one shape. */
async function insertRows(
  ctx: Ctx,
  model: Model,
  rows: Row[],
  rule: Node | null,
  returned?: Returned,
): Promise<number[]> {
  const more = returnedBy(ctx, returned);
  const made = await ctx.db.rows<Changed>(insertSql(newStatement(ctx), model, rows, rule, more));
  if (returned) returned.rows = made.map(({ json }) => json!);
  return made.map((row) => row.id).sort((a, b) => a - b);
}

/**
 * Writes the same values to all `ids`, all or none. Rules are asked of the rows as they were: a caller who may change a
 * record may also hand it over, out of the own reach (Odoo 19).
 * @param returned what to give back of it, if it can be
 * @throws MISSING when one does not exist, ACCESS_ERROR when one is out of reach
 */
export async function write(
  ctx: Ctx,
  name: string,
  ids: number[],
  given: Values,
  returned?: Returned,
): Promise<true> {
  const model = modelOf(ctx, name);
  return recorded(ctx, model, 'write', { ids, vals: given }, (inner) =>
    writeAll(inner, model, [...new Set(ids)], given, returned),
  );
}

async function writeAll(
  ctx: Ctx,
  model: Model,
  ids: number[],
  given: Values,
  returned?: Returned,
): Promise<true> {
  checkAgentChange(ctx, model, 'write', [given]);
  checkModel(ctx, model, 'write');
  const { way } = planWrite(model, objectOf(given), ids);
  if (way === 'nothing') return true;
  await checkVisibleLinks(ctx, model, [given]);
  await cleanBeside(ctx, model, [given], false);
  await explained(ctx, model, 'write', () =>
    // A transaction that is tried again must not find what the hooks of the first try left in the values.
    way === 'transaction'
      ? ctx.tx((tx) => updateUnderHooks(tx, model, ids, objectOf(given)))
      : updateCompleted(ctx, { model, ids, values: objectOf(given), returned }),
  );
  return true;
}

/** Completes the values and writes them. */
async function updateCompleted(ctx: Ctx, wanted: Omit<Update, 'row'>): Promise<void> {
  const { model, ids, values } = wanted;
  makePlain(model, values);
  await model.options.prepare?.(ctx, [values], ids);
  await settle(ctx, model, [values], ids);
  const update = { ...wanted, row: await cleanRow(ctx, model, values) };
  if (planUpdate(update).way === 'statement') return updateAlike(ctx, update);
  return ctx.tx(async (tx) => {
    await checkThere(tx, model, ids, 'write', 'no key update');
    await updateInSteps(tx, update);
  });
}

/** Completes the values in the transaction, of records that the caller may change, and writes them. */
async function updateUnderHooks(ctx: Ctx, model: Model, ids: number[], values: Values): Promise<void> {
  // A hook may have to lock other rows first, so these are locked after it.
  await checkThere(ctx, model, ids, 'write');
  makePlain(model, values);
  await model.options.prepare?.(ctx, [values], ids);
  await model.options.beforeWrite?.(ctx, values, ids);
  if (isPlaced(model, values)) await lockTree(ctx, model);
  await settle(ctx, model, [values], ids);
  await updateInSteps(ctx, { model, ids, values, row: await cleanRow(ctx, model, values) });
}

/** Values of a write as a row, with its HTML made safe. */
async function cleanRow(ctx: Ctx, model: Model, values: Values): Promise<Row> {
  const row = rowOf(ctx, model, values, 'write');
  await cleanRows(ctx, [row]);
  return row;
}

/** Updates rows that the caller may change, and what follows from it. */
async function updateInSteps(ctx: Ctx, update: Update): Promise<void> {
  const { model, ids, values, row } = update;
  checkFiles(update);
  if (row.loose.size > 0) await checkLinks(ctx, [row]);
  const statement = updateSql(newStatement(ctx), update, null);
  if (statement) await ctx.db.rows(statement);
  if (row.files.size > 0) await keepFiles(ctx, ids, row);
  if (row.fractional) await roundMoney(ctx, model, ids, [row]);
  if (row.lists.length > 0) await applyLists(ctx, writer, { model, ids, lists: row.lists, isNew: false });
  if (row.indexed) await reindex(ctx, model, ids);
  if (isPlaced(model, values)) await refuseLoops(ctx, model, ids);
  await model.options.afterWrite?.(ctx, ids, values);
  if (isMoved(model, values)) await checkRows(ctx, model, ids, 'write');
}

/** A file that several records get is kept for each of them. @throws USER_ERROR */
function checkFiles({ ids, row }: Update): void {
  let bytes = 0;
  for (const value of [...row.columns.values(), ...row.files.values()])
    if (Buffer.isBuffer(value)) bytes += value.length;
  if (ids.length > 1 && bytes * ids.length > limits.record.fileBytes) throw errors.filesTooLarge(ids.length);
}

/** One row, together with others that change alike. */
async function updateAlike(ctx: Ctx, update: Update): Promise<void> {
  const { model, ids, row, returned } = update;
  const alone = () => retried(ctx, () => updateOne(ctx, update));
  if (row.columns.size === 0) return alone();
  const rule = ruleOf(ctx, model, 'write');
  await changeWithOthers({ ctx, change: 'update', model, id: ids[0]!, row, rule, returned }, alone);
}

/** One row, its rules and its change in one statement. */
async function updateOne(ctx: Ctx, update: Update): Promise<void> {
  const { model, ids, returned } = update;
  const more = (source: Source) => returnedSql(ctx, source, returned);
  const statement = updateSql(newStatement(ctx), update, ruleOf(ctx, model, 'write'), more);
  const done = statement ? await ctx.db.rows<Changed>(statement) : [];
  if (returned) returned.rows = done.map(({ json }) => json!);
  if (done.length > 0) return;
  await checkThere(ctx, model, ids, 'write');
  // Somebody else has just changed the row so that the rules allow it.
  if (statement) throw serializationFailure();
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
  checkAgentChange(ctx, model, 'unlink', []);
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
      await releaseLinks(tx, model, ids);
      await clearTraces(tx, model, ids);
      await tx.db.rows(
        sql`delete from ${sql.id(model.table)} t
         where ${scopeSql(newStatement(tx), rowsOf(model))} and t.id = any(${ids})`,
      );
      await unlinkLinked(tx, writer, model, ids);
    }),
  );
  return true;
}

const writer: Writer = { create, write, unlink };
