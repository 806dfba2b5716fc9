import { isOutage } from '../../db/outage.ts';
import { AppError, errors, fromPostgres } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { mapInTurns } from '../../loop/others-first.ts';
import { mayModel } from '../access/access.ts';
import { modelOf } from '../access/reader.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { inPart } from '../ctx/part.ts';
import type { Model, Values } from '../model/model.ts';
import { namingOf } from '../model/naming.ts';
import { nameRecords } from '../read/external-ids.ts';
import { cleanBeside } from '../write/html.ts';
import { create, write } from '../write/write.ts';
import { changeRecords } from './change.ts';
import { parsePaths } from './field-path.ts';
import { findLinks, type Links } from './links.ts';
import { mapLinks, placeId, placesIn, wavesOf } from './order.ts';
import { knownId, recordValues, type Trouble } from './record.ts';
import { type TableRecord, tableRecords } from './table.ts';

/** What an import has to say of one record: rows from 0. */
export interface ImportMessage {
  rows: { from: number; to: number };
  type: 'error';
  record: number;
  field?: string;
  message: string;
  moreinfo?: unknown;
  field_name?: string;
}

export interface Imported {
  /** In the order of the table; false when nothing was stored. */
  ids: number[] | false;
  messages: ImportMessage[];
  nextrow: number;
}

/** A record of the table as it will be stored; `id` when it is there already. */
interface Planned {
  record: TableRecord;
  id: number | null;
  values: Values;
  /** Places of the records of the table that it refers to. */
  needs: number[];
}

/** All of a table, and in which waves its new records can be made. */
interface Plan {
  rows: Planned[];
  waves: number[][];
}

/**
 * Stores a table of texts, one column for each of `fields` (see field-path.ts): records whose external or database id
 * is known are written, the others created. Records may refer to others of the table, in any order. All or nothing:
 * each record that cannot be stored is reported.
 * @throws ACCESS_ERROR, BAD_VALUE for a column that is no field
 */
export const importRows = (ctx: Ctx, name: string, fields: string[], data: unknown): Promise<Imported> =>
  load(ctx, name, fields, data, storeAll);

/** As importRows, but what would be stored is not: `ids` is false even when nothing is wrong. */
export const testRows = (ctx: Ctx, name: string, fields: string[], data: unknown): Promise<Imported> =>
  load(ctx, name, fields, data, (tx, model, plan) =>
    inPart(tx, async () => {
      await storeAll(tx, model, plan);
      throw new Undo();
    }),
  );

/** Stores a plan in a transaction. */
type Store = (tx: Ctx, model: Model, plan: Plan) => Promise<number[]>;

async function load(
  ctx: Ctx,
  name: string,
  fields: string[],
  data: unknown,
  storing: Store,
): Promise<Imported> {
  const model = modelOf(ctx, name);
  const paths = parsePaths(ctx, model, fields);
  const bare = paths.find(([field, inner]) => !inner && model.fields.get(field!)?.type === 'one2many');
  if (bare)
    throw errors.badValue(`the column '${bare[0]}' needs a field of its lines, such as '${bare[0]}/name'`);
  const records = await tableRecords(ctx, model, paths, tableOf(data, paths.length));
  const links = await findLinks(ctx, model, records);
  const messages = repeated(records);
  await checkRights(ctx, model, records, links);
  const rows = await mapInTurns(records, (record, index): Planned => {
    const { id, values, troubles } = recordValues(ctx, model, record, links);
    for (const trouble of troubles) messages.push(messageOf(record, index, trouble));
    return { record, id, values, needs: placesIn(ctx, model, values) };
  });
  const { waves, circular } = wavesOfNew(rows);
  for (const place of circular) messages.push(messageOf(records[place]!, place, { message: CIRCLE }));
  if (messages.length) return failed(messages);
  for (const isNew of [true, false]) {
    const some = rows.filter(({ id }) => (id === null) === isNew);
    await cleanBeside(
      ctx,
      model,
      some.map(({ values }) => values),
      isNew,
    );
  }
  return store(ctx, model, { rows, waves }, storing);
}

/** Who may neither create nor write is refused, as there, before anything is made of the table. @throws ACCESS_ERROR */
async function checkRights(ctx: Ctx, model: Model, records: TableRecord[], links: Links): Promise<void> {
  const known = records.filter((record) => knownId(model, record, links) !== null);
  const isNew = records.some((record) => !record.dbid && knownId(model, record, links) === null);
  if (isNew && !mayModel(ctx, model, 'create')) await create(ctx, model.name, []);
  if (known.length > 0 && !mayModel(ctx, model, 'write')) await write(ctx, model.name, [], {});
}

const CIRCLE =
  'Its links lead into a circle of new records of the table, none of which can be made first; leave one of ' +
  'the links out, and load it afterwards';

/** What is there already can be referred to at once. */
function wavesOfNew(rows: Planned[]): ReturnType<typeof wavesOf> {
  const isNew = (place: number): boolean => rows[place]!.id === null;
  const { waves, circular } = wavesOf(rows.map(({ id, needs }) => (id === null ? needs.filter(isNew) : [])));
  return { waves: waves.map((wave) => wave.filter(isNew)), circular };
}

/** Two rows with one external id would be one record with two contents. */
function repeated(records: TableRecord[]): ImportMessage[] {
  const seen = new Set<string>();
  return records.flatMap((record, index) => {
    const isNew = !record.xmlid || !seen.has(record.xmlid);
    seen.add(record.xmlid);
    return isNew
      ? []
      : messageOf(record, index, { message: `The external id '${record.xmlid}' is in the table twice` });
  });
}

const failed = (messages: ImportMessage[]): Imported => ({ ids: false, messages, nextrow: 0 });

function tableOf(data: unknown, columns: number): unknown[][] {
  if (!Array.isArray(data) || !data.every(Array.isArray))
    throw errors.badValue('data must be a list of rows');
  if (data.length > limits.domain.values) throw errors.tooManyRecords(data.length);
  // What is empty beyond the last column is left over from a spreadsheet.
  const isMore = (cell: unknown, column: number) => column >= columns && Boolean(cell);
  const wrong = data.findIndex((row) => row.some(isMore));
  if (wrong >= 0)
    throw errors.badValue(`row ${wrong + 1} of the data has more cells than there are fields (${columns})`);
  return data;
}

const messageOf = (
  { from, to }: TableRecord,
  record: number,
  { field, message, target }: Trouble,
): ImportMessage => ({
  rows: { from, to },
  type: 'error',
  record,
  ...(field && { field: field.name }),
  message,
  ...(target && { moreinfo: { res_model: target } }),
  ...(field && { field_name: field.label }),
});

/** All at once; only when that is refused, in parts to find out which. */
async function store(ctx: Ctx, model: Model, plan: Plan, storing: Store): Promise<Imported> {
  try {
    const ids = await ctx.tx((tx) => storing(tx, model, plan));
    return { ids, messages: [], nextrow: 0 };
  } catch (error) {
    if (error instanceof Undo) return failed([]);
    const refusal = refusalOf(ctx, error);
    if (!refusal || refusal.kind === 'ACCESS_ERROR' || ctx.db !== ctx.requestDb) throw error;
    const messages = await troublesOf(ctx, model, plan);
    const [first] = plan.rows;
    return failed(messages.length ? messages : [messageOf(first!.record, 0, { message: refusal.message })]);
  }
}

/** What is wrong with the table; undefined where something else is. */
function refusalOf(ctx: Ctx, error: unknown): AppError | undefined {
  if (isOutage(error)) return undefined;
  return error instanceof AppError ? error : fromPostgres(error, namingOf(ctx.catalog.registry));
}

/** Ids of the records of a table, by place; null as long as one is not made. */
type Ids = (number | null)[];

async function storeAll(ctx: Ctx, model: Model, { rows, waves }: Plan): Promise<number[]> {
  const ids: Ids = rows.map(({ id }) => id);
  for (const wave of waves) await storeSome(ctx, model, rows, wave, ids);
  await storeSome(ctx, model, rows, placesThere(rows), ids);
  return ids as number[];
}

const placesThere = (rows: Planned[]): number[] =>
  rows.flatMap(({ id }, place) => (id === null ? [] : [place]));

/** Makes or changes the records at `places`, all of them new or all there already. */
async function storeSome(ctx: Ctx, model: Model, rows: Planned[], places: number[], ids: Ids): Promise<void> {
  const isNew = places.some((place) => rows[place]!.id === null);
  if (isNew) return makeAll(ctx, model, rows, places, ids);
  const changes = await mapInTurns(places, (place) => ({
    id: rows[place]!.id!,
    values: linked(ctx, model, rows[place]!, ids),
  }));
  await changeRecords(ctx, model, changes);
}

/** Makes the records at `places` and notes their ids. */
async function makeAll(ctx: Ctx, model: Model, rows: Planned[], places: number[], ids: Ids): Promise<void> {
  const made = await create(
    ctx,
    model.name,
    await mapInTurns(places, (place) => linked(ctx, model, rows[place]!, ids)),
  );
  const named = places.map((place, index) => ({ xmlid: rows[place]!.record.xmlid, id: made[index]! }));
  await nameRecords(
    ctx,
    model,
    named.filter(({ xmlid }) => xmlid),
  );
  for (const [index, place] of places.entries()) ids[place] = made[index]!;
}

/** The values, with ids in the place of records of the table. */
const linked = (ctx: Ctx, model: Model, { values, needs }: Planned, ids: Ids): Values =>
  needs.length ? mapLinks(ctx, model, values, (id) => (id < 0 ? ids[placeId(id)]! : id)) : values;

/** Ends a transaction of which nothing shall stay. */
class Undo extends Error {}

/**
 * Finds the records that are refused. Those that go in together are refused together; halves are tried until what is
 * refused stands alone, so one wrong record of many costs little more than the others do.
 */
async function troublesOf(ctx: Ctx, model: Model, { rows, waves }: Plan): Promise<ImportMessage[]> {
  const messages: ImportMessage[] = [];
  const attempt = async (tx: Ctx) => {
    messages.length = 0;
    const ids: Ids = rows.map(({ id }) => id);
    const narrow = async (places: number[]): Promise<void> => {
      const refusal = await tried(tx, () => storeSome(tx, model, rows, places, ids));
      if (!refusal) return;
      const [place] = places;
      if (places.length === 1)
        messages.push(messageOf(rows[place!]!.record, place!, { message: refusal.message }));
      else for (const half of halves(places)) await narrow(half);
    };
    // If the record it refers to was refused, that error has been reported.
    for (const places of [...waves, placesThere(rows)])
      await narrow(places.filter((place) => rows[place]!.needs.every((need) => ids[need] !== null)));
    throw new Undo();
  };
  await ctx.tx(attempt).catch((error) => {
    if (!(error instanceof Undo)) throw error;
  });
  return messages.sort((a, b) => a.record - b.record);
}

function halves<T>(list: T[]): [T[], T[]] {
  const middle = Math.ceil(list.length / 2);
  return [list.slice(0, middle), list.slice(middle)];
}

/** Why `fn` is refused, if it is: then it has done nothing. */
async function tried(ctx: Ctx, fn: () => Promise<void>): Promise<AppError | undefined> {
  try {
    await inPart(ctx, fn);
    return undefined;
  } catch (error) {
    const refusal = refusalOf(ctx, error);
    if (!refusal) throw error;
    return refusal;
  }
}
