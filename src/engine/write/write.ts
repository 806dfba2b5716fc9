import { createSerializationFailure } from '../../db/pool.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { forEachYielding, mapYielding } from '../../loop/yield.ts';
import { assertModelAccess, getRuleTree } from '../access/access.ts';
import { assertAgentChange } from '../access/agents.ts';
import { createStatement, getModel } from '../access/create-statement.ts';
import { assertFollowedRecords } from '../access/followed-records.ts';
import { assertRowsAllowed, assertRowsCurrent, assertRowsExist } from '../access/row-access.ts';
import { allocateIds } from '../ctx/allocate-ids.ts';
import { runRecordedChange } from '../ctx/audit.ts';
import { addChangedRecords } from '../ctx/call-usage.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { DomainNode } from '../domain/node.ts';
import { VERSION_FIELD } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { buildScopeSql } from '../sql/columns.ts';
import { getMainSource } from '../sql/statement.ts';
import { excludeIds } from '../value/exclude-ids.ts';
import { changeInBatch } from './batch-change.ts';
import { reindex, storeFiles } from './custom-field-storage.ts';
import { addDefaults, dropUnchangedDefaults } from './defaults.ts';
import { retryStatement, runWithExplainedErrors } from './explain-error.ts';
import { presanitize, sanitizeRows } from './html.ts';
import { runListCommands } from './links/list-commands.ts';
import {
  assertLinksExist,
  deleteReferencingRows,
  releaseLinks,
  unlinkCascaded,
} from './links/loose-links.ts';
import { assertVisibleLinks } from './links/visible-links.ts';
import {
  changesFollowedRecord,
  getPropertyFields,
  planCreate,
  planInsert,
  planUpdate,
  planWrite,
  setsTreeParent,
} from './plan.ts';
import { normalizeProperties } from './properties.ts';
import { createReturningSql, type ReturnedRows } from './returned-rows.ts';
import { roundAmounts } from './round-amounts.ts';
import type { RecordUpdate, RecordVersions, RecordWriter, WritableRow } from './row.ts';
import { buildRowInsertSql, buildUpdateSql, sliceRows } from './row-sql.ts';
import { lockTree, rejectLoops, rejectNewLoops } from './tree.ts';
import { buildWritableRow, normalizeValuesForHooks, parseValues } from './values.ts';

/** Maximum total size of the files that one write stores in several records. Each record stores its own copy. */
export const MAX_STORED_FILE_BYTES = 500_000_000;

/**
 * Creates records atomically.
 * @param returnedRows receives the requested fields, if possible
 * @returns the ids in the given order
 * @throws ACCESS_ERROR, BAD_VALUE, VALIDATION, MISSING for a link to a missing record
 */
export async function create(
  ctx: Ctx,
  name: string,
  list: Values[],
  returnedRows?: ReturnedRows,
): Promise<number[]> {
  const model = getModel(ctx, name);
  return runRecordedChange(ctx, model, 'create', { values: list }, (inner) =>
    createAll(inner, model, list, returnedRows),
  );
}

async function createAll(
  ctx: Ctx,
  model: Model,
  list: Values[],
  returnedRows?: ReturnedRows,
): Promise<number[]> {
  assertAgentChange(ctx, model, 'create', list);
  assertModelAccess(ctx, model, 'create');
  if (list.length > limits.domain.values) throw errors.tooManyRecords(list.length);
  const { mode } = planCreate(model, list);
  if (mode === 'nothing') return [];
  await assertVisibleLinks(ctx, model, [...list, ctx.context.defaults]);
  await presanitize(ctx, model, list, true);
  const insert = async (inner: Ctx) =>
    insertAll(inner, model, await mapYielding(list, parseValues), returnedRows);
  const ids = await runWithExplainedErrors(ctx, model, 'create', () =>
    mode === 'transaction' ? ctx.tx(insert) : insert(ctx),
  );
  ctx.afterCommit(() => ctx.runtime.db.recordInserts(model.table, ids.length));
  if (ctx.callUsage) addChangedRecords(ctx.callUsage, model.name, ids);
  return ids;
}

async function insertAll(
  ctx: Ctx,
  model: Model,
  list: Values[],
  returnedRows?: ReturnedRows,
): Promise<number[]> {
  await dropUnchangedDefaults(ctx, model, list);
  await addDefaults(ctx, model, list);
  await forEachYielding(list, (values) => normalizeValuesForHooks(model, values));
  await model.options.prepare?.(ctx, list, null);
  await model.options.beforeCreate?.(ctx, list);
  await normalizePropertiesIfAny(ctx, model, list, null);
  const rows = await mapYielding(list, (values) => buildWritableRow(ctx, model, values, 'create'));
  await sanitizeRows(ctx, rows);
  await assignRowIds(ctx, model, rows);
  rejectNewLoops(model, rows);
  const rule = getRuleTree(ctx, model, 'create');
  if (planInsert(model, rows, rule).mode === 'steps')
    return ctx.tx((tx) => insertInSteps(tx, model, rows, list));
  const insert = () => retryStatement(ctx, () => insertRows(ctx, model, rows, rule, returnedRows));
  if (rows.length > 1) return insert();
  const [row] = rows as [WritableRow];
  const id = row.columns.get(model.fields.get('id')!) as number;
  await changeInBatch({ ctx, change: 'insert', model, id, row, rule, returned: returnedRows }, insert);
  return [id];
}

/**
 * Skips models without properties, which are most models.
 * @param ids null for new records
 */
const normalizePropertiesIfAny = async (
  ctx: Ctx,
  model: Model,
  list: Values[],
  ids: number[] | null,
): Promise<void> =>
  getPropertyFields(model).length > 0 ? normalizeProperties(ctx, writer, { model, list, ids }) : undefined;

async function insertInSteps(ctx: Ctx, model: Model, rows: WritableRow[], list: Values[]): Promise<number[]> {
  if (rows.some((row) => row.loose.size > 0)) await assertLinksExist(ctx, rows);
  const ids = await insertSlices(ctx, model, rows);
  if (rows.some((row) => row.files.size > 0))
    for (const [index, id] of ids.entries()) await storeFiles(ctx, [id], rows[index]!);
  if (rows.some((row) => row.fractional)) await roundAmounts(ctx, model, ids, rows);
  for (const [index, id] of ids.entries()) {
    const { lists } = rows[index]!;
    if (lists.length > 0) await runListCommands(ctx, writer, { model, ids: [id], lists, isNew: true });
  }
  if (rows.some((row) => row.indexed)) await reindex(ctx, model, ids);
  await model.options.afterCreate?.(ctx, ids, list);
  await assertFollowedRecords(ctx, model, ids);
  if (getRuleTree(ctx, model, 'create')) await assertRowsAllowed(ctx, model, ids, 'create');
  return ids;
}

/** Rows with the same columns share a statement. */
async function insertSlices(ctx: Ctx, model: Model, rows: WritableRow[]): Promise<number[]> {
  const ids: number[] = new Array(rows.length);
  for (const { rows: rowsOfSlice, places } of await sliceRows(rows)) {
    const insertedRows = await insertRows(ctx, model, rowsOfSlice, null);
    for (const [index, position] of places.entries()) ids[position] = insertedRows[index]!;
  }
  return ids;
}

/** Assigns ascending ids before the insert, so that the inserted ids can be matched to the rows. */
async function assignRowIds(ctx: Ctx, model: Model, rows: WritableRow[]): Promise<void> {
  const ids = await allocateIds(ctx, model.table, rows.length);
  const id = model.fields.get('id')!;
  rows.forEach((row, index) => {
    row.columns.set(id, ids[index]!);
  });
}

interface ChangedRow {
  id: number;
  json?: string;
}

async function insertRows(
  ctx: Ctx,
  model: Model,
  rows: WritableRow[],
  rule: DomainNode | null,
  returnedRows?: ReturnedRows,
): Promise<number[]> {
  const buildExtraSql = createReturningSql(ctx, returnedRows);
  const insertedRows = await ctx.db.rows<ChangedRow>(
    buildRowInsertSql(createStatement(ctx), model, rows, rule, buildExtraSql),
  );
  if (returnedRows) returnedRows.rows = insertedRows.map(({ json }) => json!);
  return insertedRows.map((row) => row.id).sort((a, b) => a - b);
}

/**
 * Writes the same values to all `ids` atomically. Rules apply to the rows before the change, so a change may remove the
 * caller's own access to a record (Odoo 19).
 * @throws MISSING if a record does not exist, ACCESS_ERROR if a record is not accessible, STALE if a record does not
 * have the expected version
 */
export async function write(
  ctx: Ctx,
  name: string,
  ids: number[],
  values: Values,
  options: WriteOptions = {},
): Promise<true> {
  const model = getModel(ctx, name);
  return runRecordedChange(ctx, model, 'write', { ids, vals: values }, (inner) =>
    writeAll(inner, model, [...new Set(ids)], values, options),
  );
}

interface WriteOptions {
  /** Fields to return, if possible. */
  returned?: ReturnedRows;
  /** Expected versions of all records. */
  versions?: RecordVersions;
}

async function writeAll(
  ctx: Ctx,
  model: Model,
  ids: number[],
  values: Values,
  options: WriteOptions,
): Promise<true> {
  if (options.versions && !model.fields.has(VERSION_FIELD))
    throw errors.wrongArgument('expectedVersion', `the records of ${model.name} have no versions`);
  assertAgentChange(ctx, model, 'write', [values]);
  assertModelAccess(ctx, model, 'write');
  const { mode } = planWrite(model, parseValues(values), ids);
  if (mode === 'nothing') return true;
  await assertVisibleLinks(ctx, model, [values]);
  await presanitize(ctx, model, [values], false);
  await runWithExplainedErrors(ctx, model, 'write', () =>
    // Each attempt parses the values again, because a retry must not see values that hooks changed in the first
    // attempt.
    mode === 'transaction'
      ? ctx.tx((tx) => updateGroups(tx, { model, ids, values, ...options }))
      : completeAndUpdate(ctx, { model, ids, values: parseValues(values), ...options }),
  );
  // Hooks may have added ids.
  if (ctx.callUsage) addChangedRecords(ctx.callUsage, model.name, ids);
  return true;
}

async function updateGroups(ctx: Ctx, changes: Omit<RecordUpdate, 'row'>): Promise<void> {
  const { model, ids, values } = changes;
  const key = ids.length > 1 ? model.options.preparesBy?.(ctx, parseValues(values)) : null;
  for (const group of key ? await groupIds(ctx, model, ids, key) : [ids])
    await updateWithHooks(ctx, { ...changes, ids: group, values: parseValues(values) });
}

/** Groups records by the SQL `key` of the row `t`. The first group includes ids that do not exist. */
async function groupIds(ctx: Ctx, model: Model, ids: number[], key: Sql): Promise<number[][]> {
  const rows = await ctx.db.rows<{ ids: number[] }>(
    sql`select array_agg(t.id order by t.id) as ids from ${sql.id(model.table)} t
     where ${buildScopeSql(createStatement(ctx), getMainSource(model))} and t.id = any(${ids})
     group by ${key} order by 1`,
  );
  const [first = [], ...rest] = rows.map((row) => row.ids);
  return [
    [
      ...excludeIds(
        ids,
        rows.flatMap((row) => row.ids),
      ),
      ...first,
    ],
    ...rest,
  ];
}

async function completeAndUpdate(ctx: Ctx, changes: Omit<RecordUpdate, 'row'>): Promise<void> {
  const { model, ids, values } = changes;
  normalizeValuesForHooks(model, values);
  await model.options.prepare?.(ctx, [values], ids);
  await normalizePropertiesIfAny(ctx, model, [values], ids);
  const update = { ...changes, row: await buildSanitizedRow(ctx, model, values) };
  if (planUpdate(update).mode === 'statement') return updateInBatch(ctx, update);
  return ctx.tx(async (tx) => {
    await assertRowsExist(tx, model, ids, 'write', 'no key update');
    await updateInSteps(tx, update);
  });
}

async function updateWithHooks(ctx: Ctx, changes: Omit<RecordUpdate, 'row'>): Promise<void> {
  const { model, ids, values, versions } = changes;
  // The rows are locked after the hooks, which may have to lock other rows first. Versions are compared before the
  // hooks, which may update the same rows.
  if (versions) await assertRowsCurrent(ctx, model, ids, versions);
  else await assertRowsExist(ctx, model, ids, 'write');
  normalizeValuesForHooks(model, values);
  await model.options.prepare?.(ctx, [values], ids);
  await model.options.beforeWrite?.(ctx, values, ids);
  if (setsTreeParent(model, values)) await lockTree(ctx, model);
  await normalizePropertiesIfAny(ctx, model, [values], ids);
  await updateInSteps(ctx, {
    model,
    ids,
    values,
    row: await buildSanitizedRow(ctx, model, values),
    // Rows of a model with a shared table have not been locked, so their versions are compared again.
    ...(model.options.sharedTable && { versions }),
  });
}

async function buildSanitizedRow(ctx: Ctx, model: Model, values: Values): Promise<WritableRow> {
  const row = buildWritableRow(ctx, model, values, 'write');
  await sanitizeRows(ctx, [row]);
  return row;
}

async function updateInSteps(ctx: Ctx, update: RecordUpdate): Promise<void> {
  const { model, ids, values, row, versions } = update;
  assertFileSize(update);
  if (row.loose.size > 0) await assertLinksExist(ctx, [row]);
  const statement = buildUpdateSql(createStatement(ctx), update, null);
  const updatedRows = statement ? await ctx.db.rows(statement) : [];
  if (versions && updatedRows.length < ids.length) throw errors.staleRecord(model.name, ids);
  if (row.files.size > 0) await storeFiles(ctx, ids, row);
  if (row.fractional) await roundAmounts(ctx, model, ids, [row]);
  if (row.lists.length > 0)
    await runListCommands(ctx, writer, { model, ids, lists: row.lists, isNew: false });
  if (row.indexed) await reindex(ctx, model, ids);
  if (setsTreeParent(model, values)) await rejectLoops(ctx, model, ids);
  await model.options.afterWrite?.(ctx, ids, values);
  if (changesFollowedRecord(model, values)) {
    await assertFollowedRecords(ctx, model, ids);
    await assertRowsAllowed(ctx, model, ids, 'write');
  }
}

/**
 * Limits the total size of files, because each record stores its own copy.
 * @throws USER_ERROR
 */
function assertFileSize({ ids, row }: RecordUpdate): void {
  let bytes = 0;
  for (const value of [...row.columns.values(), ...row.files.values()])
    if (Buffer.isBuffer(value)) bytes += value.length;
  if (ids.length > 1 && bytes * ids.length > MAX_STORED_FILE_BYTES) throw errors.filesTooLarge(ids.length);
}

async function updateInBatch(ctx: Ctx, update: RecordUpdate): Promise<void> {
  const { model, ids, row, returned, versions } = update;
  const runAlone = () => retryStatement(ctx, () => updateOne(ctx, update));
  if (row.columns.size === 0 || versions) return runAlone();
  const rule = getRuleTree(ctx, model, 'write');
  await changeInBatch({ ctx, change: 'update', model, id: ids[0]!, row, rule, returned }, runAlone);
}

/** Checks the rules and updates the row in one statement. */
async function updateOne(ctx: Ctx, update: RecordUpdate): Promise<void> {
  const { model, ids, returned, versions } = update;
  const statement = buildUpdateSql(
    createStatement(ctx),
    update,
    getRuleTree(ctx, model, 'write'),
    createReturningSql(ctx, returned),
  );
  const result = statement ? await ctx.db.rows<ChangedRow>(statement) : [];
  if (returned) returned.rows = result.map(({ json }) => json!);
  if (result.length > 0) return;
  await assertRowsExist(ctx, model, ids, 'write');
  if (versions) throw errors.staleRecord(model.name, ids);
  // Another transaction has just changed the row, and the rules now allow the update.
  if (statement) throw createSerializationFailure();
}

/**
 * Deletes records atomically.
 * @throws MISSING if a record does not exist, ACCESS_ERROR if a record is not accessible, VALIDATION if another record
 * depends on one of the records
 */
export async function unlink(ctx: Ctx, name: string, ids: number[]): Promise<true> {
  const model = getModel(ctx, name);
  return runRecordedChange(ctx, model, 'unlink', { ids }, (inner) =>
    unlinkAll(inner, model, [...new Set(ids)]),
  );
}

async function unlinkAll(ctx: Ctx, model: Model, ids: number[]): Promise<true> {
  assertAgentChange(ctx, model, 'unlink', []);
  assertModelAccess(ctx, model, 'unlink');
  if (ids.length === 0) return true;
  const { beforeUnlink } = model.options;
  await runWithExplainedErrors(ctx, model, 'unlink', () =>
    ctx.tx(async (tx) => {
      if (beforeUnlink) {
        await assertRowsExist(tx, model, ids, 'unlink');
        await beforeUnlink(tx, ids);
        // The hook may have deleted some of the records.
        await assertRowsAllowed(tx, model, ids, 'unlink', 'update');
      } else await assertRowsExist(tx, model, ids, 'unlink', 'update');
      await releaseLinks(tx, model, ids);
      await deleteReferencingRows(tx, model, ids);
      await tx.db.rows(
        sql`delete from ${sql.id(model.table)} t
         where ${buildScopeSql(createStatement(tx), getMainSource(model))} and t.id = any(${ids})`,
      );
      await unlinkCascaded(tx, writer, model, ids);
    }),
  );
  if (ctx.callUsage) addChangedRecords(ctx.callUsage, model.name, ids);
  return true;
}

const writer: RecordWriter = { create, write, unlink };
