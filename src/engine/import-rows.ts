import { AppError, errors, fromPostgres } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Ctx } from './ctx.ts';
import { nameRecords } from './external-ids.ts';
import { parsePaths } from './field-path.ts';
import { findLinks } from './import-links.ts';
import { recordValues, type Trouble } from './import-record.ts';
import { type TableRecord, tableRecords } from './import-table.ts';
import type { Model, Values } from './model.ts';
import { namingOf } from './naming.ts';
import { modelOf } from './reader.ts';
import { create, write } from './write.ts';

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
}

/**
 * Stores a table of texts, one column for each of `fields` (see field-path.ts): records whose external or database id is
 * known are written, the others created. All or nothing: each record that cannot be stored is told.
 * @throws ACCESS_ERROR, BAD_VALUE for a column that is no field
 */
export async function importRows(ctx: Ctx, name: string, fields: string[], data: unknown): Promise<Imported> {
  const model = modelOf(ctx, name);
  const paths = parsePaths(ctx, model, fields);
  const bare = paths.find(([field, inner]) => !inner && model.fields.get(field!)?.type === 'one2many');
  if (bare)
    throw errors.badValue(`the column '${bare[0]}' needs a field of its lines, such as '${bare[0]}/name'`);
  const records = tableRecords(ctx, model, paths, tableOf(data));
  const links = await findLinks(ctx, model, records);
  const messages = repeated(records);
  const plan = records.map((record, index): Planned => {
    const { id, values, troubles } = recordValues(ctx, model, record, links);
    for (const trouble of troubles) messages.push(messageOf(record, index, trouble));
    return { record, id, values };
  });
  return messages.length ? failed(messages) : store(ctx, model, plan);
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

function tableOf(data: unknown): unknown[][] {
  if (!Array.isArray(data) || !data.every(Array.isArray))
    throw errors.badValue('data must be a list of rows');
  if (data.length > limits.domainValues) throw errors.user('too many records in one call');
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

/** All at once; only when that is refused, one after the other to find out which. */
async function store(ctx: Ctx, model: Model, plan: Planned[]): Promise<Imported> {
  try {
    const ids = await ctx.tx((tx) => storeAll(tx, model, plan));
    return { ids, messages: [], nextrow: 0 };
  } catch (error) {
    const refusal = refusalOf(ctx, error);
    if (!refusal || refusal.kind === 'ACCESS_ERROR' || ctx.db !== ctx.runtime.db) throw error;
    const messages = await troublesOf(ctx, model, plan);
    return failed(messages.length ? messages : [messageOf(plan[0]!.record, 0, { message: refusal.message })]);
  }
}

const refusalOf = (ctx: Ctx, error: unknown): AppError | undefined =>
  error instanceof AppError ? error : fromPostgres(error, namingOf(ctx.catalog.registry));

async function storeAll(ctx: Ctx, model: Model, plan: Planned[]): Promise<number[]> {
  const added = plan.filter(({ id }) => id === null);
  const made = added.length
    ? await create(
        ctx,
        model.name,
        added.map(({ values }) => values),
      )
    : [];
  const ids = new Map(added.map((planned, index) => [planned, made[index]!]));
  for (const { id, values } of plan) if (id !== null) await write(ctx, model.name, [id], values);
  const named = added.filter(({ record }) => record.xmlid);
  await nameRecords(
    ctx,
    model,
    named.map((planned) => ({ xmlid: planned.record.xmlid, id: ids.get(planned)! })),
  );
  return plan.map((planned) => planned.id ?? ids.get(planned)!);
}

/** Ends a transaction of which nothing shall stay. */
class Undo extends Error {}

async function troublesOf(ctx: Ctx, model: Model, plan: Planned[]): Promise<ImportMessage[]> {
  const messages: ImportMessage[] = [];
  const attempt = async (tx: Ctx) => {
    messages.length = 0;
    for (const [index, planned] of plan.entries()) {
      await tx.db.rows('savepoint imported');
      try {
        await storeAll(tx, model, [planned]);
        await tx.db.rows('release savepoint imported');
      } catch (error) {
        const refusal = refusalOf(ctx, error);
        if (!refusal) throw error;
        await tx.db.rows('rollback to savepoint imported');
        messages.push(messageOf(planned.record, index, { message: refusal.message }));
      }
    }
    throw new Undo();
  };
  await ctx.tx(attempt).catch((error) => {
    if (!(error instanceof Undo)) throw error;
  });
  return messages;
}
