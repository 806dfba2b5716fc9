import { isOutage } from '../../db/outage.ts';
import { AppError, convertPostgresError, errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { mapYielding } from '../../loop/yield.ts';
import { canAccessModel } from '../access/access.ts';
import { getModel } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { runInSavepoint } from '../ctx/savepoint.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { createColumnLookup } from '../model/naming.ts';
import type { CellFormat } from '../model/principal.ts';
import { assignExternalIds } from '../read/external-ids.ts';
import { presanitize } from '../write/html.ts';
import { create, write } from '../write/write.ts';
import { changeRecords } from './change.ts';
import { parsePaths } from './field-path.ts';
import { computeWaves, findPlaces, mapLinks, toPlaceId } from './import-order.ts';
import { findLinks, type TableLinks } from './links.ts';
import { fillProperties, type PropertyRow, parsePropertyColumn } from './properties.ts';
import { buildRecordValues, findKnownId, type ImportProblem } from './record.ts';
import { parseTableRecords, type TableRecord } from './table.ts';

/** A message about one imported record. Rows are numbered from 0. */
export interface ImportMessage {
  rows: { from: number; to: number };
  type: 'error';
  record: number;
  field?: string;
  message: string;
  moreinfo?: unknown;
  field_name?: string;
}

export interface ImportResult {
  /** Ids in table order, or false if nothing was stored. */
  ids: number[] | false;
  messages: ImportMessage[];
  nextrow: number;
}

/** A table record that is ready to be stored. `id` is null for a new record. */
interface PlannedRecord {
  record: TableRecord;
  id: number | null;
  values: Values;
  /** Positions of the table records that this record references. */
  needs: number[];
}

interface ImportPlan {
  rows: PlannedRecord[];
  waves: number[][];
}

/**
 * Imports a table of strings with a column for each of `fields` (see field-path.ts). Updates records with a known
 * external or database id, and creates the others. Records may reference each other in any order. The import is atomic,
 * and reports each record that cannot be stored.
 * @throws ACCESS_ERROR, BAD_VALUE for a column that is not a field
 */
export const importRows = (
  ctx: Ctx,
  name: string,
  fields: string[],
  data: unknown,
  format: CellFormat = {},
): Promise<ImportResult> => runImport(withCellFormat(ctx, format), name, fields, data, storeAll);

/** Like importRows, but rolls the import back. `ids` is always false. */
export const testRows = (
  ctx: Ctx,
  name: string,
  fields: string[],
  data: unknown,
  format: CellFormat = {},
): Promise<ImportResult> =>
  runImport(withCellFormat(ctx, format), name, fields, data, (tx, model, plan) =>
    runInSavepoint(tx, async () => {
      await storeAll(tx, model, plan);
      throw new UndoError();
    }),
  );

const withCellFormat = (ctx: Ctx, cellFormat: CellFormat): Ctx =>
  ctx.with({ context: { ...ctx.context, cellFormat } });

type PlanWriter = (tx: Ctx, model: Model, plan: ImportPlan) => Promise<number[]>;

async function runImport(
  ctx: Ctx,
  name: string,
  fields: string[],
  data: unknown,
  plan: PlanWriter,
): Promise<ImportResult> {
  const model = getModel(ctx, name);
  const paths = parsePaths(ctx, model, fields);
  const barePath = paths.find(([field, inner]) => !inner && model.fields.get(field!)?.type === 'one2many');
  if (barePath)
    throw errors.badValue(
      `the column '${barePath[0]}' must specify a field of its records, such as '${barePath[0]}/name'`,
    );
  const records = await parseTableRecords(ctx, model, paths, parseTable(data, paths.length));
  const links = await findLinks(ctx, model, records);
  const messages = findRepeatedRecords(records);
  await assertRights(ctx, model, records, links);
  const rows = await mapYielding(records, (record, index): PlannedRecord => {
    const { id, values, troubles } = buildRecordValues(ctx, model, record, links);
    for (const trouble of troubles) messages.push(buildImportMessage(record, index, trouble));
    return { record, id, values, needs: findPlaces(ctx, model, values) };
  });
  await fillProperties(ctx, model, listPropertyRows(model, rows, messages));
  const { waves, circular } = computeNewWaves(rows);
  for (const place of circular)
    messages.push(buildImportMessage(records[place]!, place, { message: CIRCULAR_LINKS }));
  if (messages.length) return buildFailure(messages);
  for (const isNew of [true, false]) {
    const records = rows.filter(({ id }) => (id === null) === isNew);
    await presanitize(
      ctx,
      model,
      records.map(({ values }) => values),
      isNew,
    );
  }
  return storePlan(ctx, model, { rows, waves }, plan);
}

const listPropertyRows = (model: Model, rows: PlannedRecord[], messages: ImportMessage[]): PropertyRow[] =>
  rows.flatMap(({ id, values, record }, index) => {
    const texts = [...record.cells].flatMap(([name, parts]) =>
      parsePropertyColumn(model, name) ? [[name, parts.get('') ?? ''] as const] : [],
    );
    const reject = (field: Field, message: string) => {
      messages.push(buildImportMessage(record, index, { field, message }));
    };
    return texts.length > 0 ? [{ id, values, texts: new Map(texts), reject }] : [];
  });

/**
 * Rejects a caller without the right to create or write, before the values are parsed. Calls the operation without
 * records, so that it throws its usual error.
 * @throws ACCESS_ERROR
 */
async function assertRights(
  ctx: Ctx,
  model: Model,
  records: TableRecord[],
  links: TableLinks,
): Promise<void> {
  const existingRecords = records.filter((record) => findKnownId(model, record, links) !== null);
  const isNew = records.some((record) => !record.dbid && findKnownId(model, record, links) === null);
  if (isNew && !canAccessModel(ctx, model, 'create')) await create(ctx, model.name, []);
  if (existingRecords.length > 0 && !canAccessModel(ctx, model, 'write'))
    await write(ctx, model.name, [], {});
}

const CIRCULAR_LINKS =
  'New records of the table refer to each other in a cycle, so none of them can be created first. Omit one of ' +
  'the links, and import it afterwards';

/** Existing records can be referenced immediately. */
function computeNewWaves(rows: PlannedRecord[]): ReturnType<typeof computeWaves> {
  const isNew = (index: number): boolean => rows[index]!.id === null;
  const { waves, circular } = computeWaves(
    rows.map(({ id, needs }) => (id === null ? needs.filter(isNew) : [])),
  );
  return { waves: waves.map((wave) => wave.filter(isNew)), circular };
}

/** Finds rows with the same external id, because they would set different values on one record. */
function findRepeatedRecords(records: TableRecord[]): ImportMessage[] {
  const usedIds = new Set<string>();
  return records.flatMap((record, index) => {
    const isNew = !record.xmlid || !usedIds.has(record.xmlid);
    usedIds.add(record.xmlid);
    return isNew
      ? []
      : buildImportMessage(record, index, {
          message: `The external id '${record.xmlid}' appears twice in the table`,
        });
  });
}

const buildFailure = (messages: ImportMessage[]): ImportResult => ({ ids: false, messages, nextrow: 0 });

function parseTable(data: unknown, columns: number): unknown[][] {
  if (!Array.isArray(data) || !data.every(Array.isArray))
    throw errors.badValue('data must be a list of rows');
  if (data.length > limits.domain.values) throw errors.tooManyRecords(data.length);
  // Spreadsheets leave empty cells beyond the last column.
  const isSurplusCell = (cell: unknown, column: number) => column >= columns && Boolean(cell);
  const invalidRow = data.findIndex((row) => row.some(isSurplusCell));
  if (invalidRow >= 0)
    throw errors.badValue(
      `row ${invalidRow + 1} of the data has more cells than there are fields (${columns})`,
    );
  return data;
}

const buildImportMessage = (
  { from, to }: TableRecord,
  record: number,
  { field, message, target }: ImportProblem,
): ImportMessage => ({
  rows: { from, to },
  type: 'error',
  record,
  ...(field && { field: field.name }),
  message,
  ...(target && { moreinfo: { res_model: target } }),
  ...(field && { field_name: field.label }),
});

/** Stores all records at once. If that fails, stores parts of them to find the rejected records. */
async function storePlan(
  ctx: Ctx,
  model: Model,
  plan: ImportPlan,
  storingPlan: PlanWriter,
): Promise<ImportResult> {
  try {
    const ids = await ctx.tx((tx) => storingPlan(tx, model, plan));
    return { ids, messages: [], nextrow: 0 };
  } catch (error) {
    if (error instanceof UndoError) return buildFailure([]);
    const rejection = findAppError(ctx, error);
    if (!rejection || rejection.kind === 'ACCESS_ERROR' || ctx.db !== ctx.requestDb) throw error;
    const messages = await findProblems(ctx, model, plan);
    const [first] = plan.rows;
    return buildFailure(
      messages.length ? messages : [buildImportMessage(first!.record, 0, { message: rejection.message })],
    );
  }
}

/** Returns the error to report for the table. Undefined for failures unrelated to the table, such as an outage. */
function findAppError(ctx: Ctx, error: unknown): AppError | undefined {
  if (isOutage(error)) return undefined;
  return error instanceof AppError
    ? error
    : convertPostgresError(error, createColumnLookup(ctx.catalog.registry));
}

/** Ids of the table records by position. Null until a record is created. */
type RecordIds = (number | null)[];

async function storeAll(ctx: Ctx, model: Model, { rows, waves }: ImportPlan): Promise<number[]> {
  const ids: RecordIds = rows.map(({ id }) => id);
  for (const wave of waves) await storeRecords(ctx, model, rows, wave, ids);
  await storeRecords(ctx, model, rows, findExistingIndexes(rows), ids);
  return ids as number[];
}

const findExistingIndexes = (rows: PlannedRecord[]): number[] =>
  rows.flatMap(({ id }, index) => (id === null ? [] : [index]));

/** Creates or updates the records at `places`. Either all of them are new, or all of them exist. */
async function storeRecords(
  ctx: Ctx,
  model: Model,
  rows: PlannedRecord[],
  places: number[],
  ids: RecordIds,
): Promise<void> {
  const isNew = places.some((index) => rows[index]!.id === null);
  if (isNew) return createRecords(ctx, model, rows, places, ids);
  const changes = await mapYielding(places, (index) => ({
    id: rows[index]!.id!,
    values: resolveLinks(ctx, model, rows[index]!, ids),
  }));
  await changeRecords(ctx, model, changes);
}

async function createRecords(
  ctx: Ctx,
  model: Model,
  rows: PlannedRecord[],
  places: number[],
  ids: RecordIds,
): Promise<void> {
  const createdIds = await create(
    ctx,
    model.name,
    await mapYielding(places, (index) => resolveLinks(ctx, model, rows[index]!, ids)),
  );
  const externalIds = places.map((position, index) => ({
    xmlid: rows[position]!.record.xmlid,
    id: createdIds[index]!,
  }));
  await assignExternalIds(
    ctx,
    model,
    externalIds.filter(({ xmlid }) => xmlid),
  );
  for (const [index, position] of places.entries()) ids[position] = createdIds[index]!;
}

const resolveLinks = (ctx: Ctx, model: Model, { values, needs }: PlannedRecord, ids: RecordIds): Values =>
  needs.length ? mapLinks(ctx, model, values, (id) => (id < 0 ? ids[toPlaceId(id)]! : id)) : values;

class UndoError extends Error {}

/**
 * Finds the rejected records by bisection: a rejected batch is halved until single records remain, so one bad record
 * among many costs little.
 */
async function findProblems(ctx: Ctx, model: Model, { rows, waves }: ImportPlan): Promise<ImportMessage[]> {
  const messages: ImportMessage[] = [];
  const attemptImport = async (tx: Ctx) => {
    messages.length = 0;
    const ids: RecordIds = rows.map(({ id }) => id);
    const storeOrBisect = async (places: number[]): Promise<void> => {
      const error = await catchRejection(tx, () => storeRecords(tx, model, rows, places, ids));
      if (!error) return;
      const [place] = places;
      if (places.length === 1)
        messages.push(buildImportMessage(rows[place!]!.record, place!, { message: error.message }));
      else for (const half of splitInHalf(places)) await storeOrBisect(half);
    };
    // Skips records whose referenced record was rejected, because the error for that record is sufficient.
    for (const places of [...waves, findExistingIndexes(rows)])
      await storeOrBisect(places.filter((index) => rows[index]!.needs.every((need) => ids[need] !== null)));
    throw new UndoError();
  };
  await ctx.tx(attemptImport).catch((error) => {
    if (!(error instanceof UndoError)) throw error;
  });
  return messages.sort((a, b) => a.record - b.record);
}

function splitInHalf<T>(list: T[]): [T[], T[]] {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
}

/** Runs `fn` in a savepoint. If `fn` is rejected, rolls back its changes and returns the error. */
async function catchRejection(ctx: Ctx, fn: () => Promise<void>): Promise<AppError | undefined> {
  try {
    await runInSavepoint(ctx, fn);
    return undefined;
  } catch (error) {
    const rejection = findAppError(ctx, error);
    if (!rejection) throw error;
    return rejection;
  }
}
