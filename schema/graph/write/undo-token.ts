import { sql } from '../../../src/db/sql.ts';
import { assertModelAccess } from '../../../src/engine/access/access.ts';
import { createStatement } from '../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import { getOtherLanguage } from '../../../src/engine/ctx/call-context.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Field } from '../../../src/engine/model/field.ts';
import type { Model, Values } from '../../../src/engine/model/model.ts';
import { buildTranslationKey, isTranslated } from '../../../src/engine/model/translations.ts';
import { read } from '../../../src/engine/read/records.ts';
import { buildSourceSql } from '../../../src/engine/sql/columns.ts';
import { getMainSource } from '../../../src/engine/sql/statement.ts';
import { isComparableField } from '../../../src/engine/table/change.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';

// Stores the values before a change, in the same transaction, under a token from the client. Only the user who made the
// change can use the token.

export const MAX_UNDO_TOKENS = 20;
const MAX_UNDO_TOKEN_CHARS = 100;
export const MAX_UNDO_ROWS = 5_000;
/** Maximum size of the undo data for one change. */
export const MAX_UNDO_BYTES = 2 * 1024 * 1024;
/** Maximum stored size of the undo data for one token. */
const MAX_UNDO_BYTES_PER_TOKEN = 8 * 1024 * 1024;

definePurgeJob('record-undo-purge', '*/20 * * * *', {
  table: 'svc_record_undo',
  time: 'create_date',
  before: sql`now() - make_interval(mins => ${sql.literal(limits.record.undoMinutes)})`,
  key: { id: 'bigint' },
});

/** A changed record with the old and new values of its changed fields. */
export interface EarlierRecord {
  id: number;
  before: Values;
  after: Values;
}

/** Short values are compared even if the input does not contain the field, because hooks may have changed them. */
const isShortField = ({ type }: Field): boolean => type !== 'text' && type !== 'html' && type !== 'many2many';

const isUndoable = (ctx: Ctx, field: Field): boolean => isComparableField(ctx, field) && !field.masked;

/**
 * Changes records so that `recordsUndo` can undo the change.
 * @throws BAD_VALUE if the token is too long or has too many changes, a field cannot be undone, or the caller is not a
 * user
 */
export function changeUndoably(
  ctx: Ctx,
  { model, ids, token, values }: { model: Model; ids: number[]; token: string; values: Values },
  change: (tx: Ctx) => Promise<unknown>,
): Promise<void> {
  if (token === '' || token.length > MAX_UNDO_TOKEN_CHARS)
    throw errors.wrongArgument('undoToken', `must have 1 to ${MAX_UNDO_TOKEN_CHARS} characters`);
  const user = ctx.principal?.userId;
  if (!user) throw errors.wrongArgument('undoToken', 'only a user can undo changes');
  const names = getStoredFields(ctx, model, values);
  assertModelAccess(ctx, model, 'read');
  return ctx.tx(async (tx) => {
    await assertRowsExist(tx, model, ids, 'write', 'no key update');
    await assertRowsExist(tx, model, ids, 'read');
    // Reads as the system, to keep links to records that the caller may not read, and to let users undo the assignment
    // of a record to someone else.
    const before = await readCurrentValues(tx.system(), model, ids, names);
    await change(tx);
    const after = await readCurrentValues(tx.system(), model, ids, names);
    await storeUndo(tx, model, { user, token }, computeDifferences(before, after));
  });
}

function getStoredFields(ctx: Ctx, model: Model, values: Values): string[] {
  const fields = [...model.fields.values()];
  const refusedField = fields.find((field) => field.name in values && !isUndoable(ctx, field));
  if (refusedField)
    throw errors.wrongArgument('undoToken', `a change to the field '${refusedField.label}' cannot be undone`);
  return fields
    .filter((field) => isUndoable(ctx, field) && (field.name in values || isShortField(field)))
    .map(({ name }) => name);
}

/** Reads values by record id, including archived records. Missing translations do not fall back to another language. */
export async function readCurrentValues(
  ctx: Ctx,
  model: Model,
  ids: number[],
  names: string[],
): Promise<Map<number, Values>> {
  const all = ctx.with({ context: { ...ctx.context, activeTest: false } });
  const rows = await read(all, { model: model.name, ids, fields: ['id', ...names], flavour: 'ids' });
  const currentRows = new Map(rows.value<(Values & { id: number })[]>().map((row) => [row.id, row]));
  const texts = await readOwnTranslations(ctx, model, ids, names);
  for (const [id, row] of currentRows) Object.assign(row, texts.get(id));
  return currentRows;
}

/** Reads translations into the caller's language, by record id. Missing translations are false. */
async function readOwnTranslations(
  ctx: Ctx,
  model: Model,
  ids: number[],
  names: string[],
): Promise<Map<number, Values>> {
  const lang = getOtherLanguage(ctx);
  const translated = lang ? names.filter((name) => isTranslated(model, model.fields.get(name)!)) : [];
  if (lang === null || translated.length === 0) return new Map();
  const getTextKey = (name: string) => buildTranslationKey(model.fields.get(name)!, lang);
  const rows = await ctx.db.rows<{ id: number; custom: Values | null }>(
    sql`select t.id, t.custom from ${buildSourceSql(createStatement(ctx), getMainSource(model))}
      and t.id = any(${ids})`,
  );
  return new Map(
    rows.map(({ id, custom }) => [
      id,
      Object.fromEntries(translated.map((name) => [name, custom?.[getTextKey(name)] ?? false])),
    ]),
  );
}

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

function computeDifferences(before: Map<number, Values>, after: Map<number, Values>): EarlierRecord[] {
  return [...before].flatMap(([id, oldValues]) => {
    const now = after.get(id);
    const names = now ? Object.keys(oldValues).filter((name) => !isSame(oldValues[name], now[name])) : [];
    const pickNamed = (values: Values) => Object.fromEntries(names.map((name) => [name, values[name]]));
    return now && names.length > 0 ? [{ id, before: pickNamed(oldValues), after: pickNamed(now) }] : [];
  });
}

interface TokenOwner {
  user: number;
  token: string;
}

async function storeUndo(
  ctx: Ctx,
  model: Model,
  { user, token }: TokenOwner,
  records: EarlierRecord[],
): Promise<void> {
  const text = JSON.stringify(records);
  if (Buffer.byteLength(text) > MAX_UNDO_BYTES)
    throw errors.wrongArgument('undoToken', 'the change is too large to be undone');
  const workspace = ctx.workspace.id;
  const id = await allocateId(ctx, 'svc_record_undo');
  const company = ctx.principal?.companyId ?? null;
  await ctx.db.rows(
    sql`insert into svc_record_undo (workspace_id, id, user_id, token, model, lang, company_id, records, record_count)
     values (${workspace}, ${id}, ${user}, ${token}, ${model.name}, ${ctx.context.lang}, ${company}, ${text}::jsonb,
       ${records.length})`,
  );
  // Counts a change without effect as one record, because it has a row and is undone in a separate transaction.
  const [sum] = await ctx.db.rows<{ count: number; bytes: number }>(
    sql`select sum(greatest(record_count, 1))::int as count, sum(pg_column_size(records))::float8 as bytes
     from svc_record_undo where workspace_id = ${workspace} and user_id = ${user} and token = ${token}`,
  );
  if (sum!.count > MAX_UNDO_ROWS)
    throw errors.wrongArgument('undoToken', `at most ${MAX_UNDO_ROWS} records can be undone together`);
  if (sum!.bytes > MAX_UNDO_BYTES_PER_TOKEN)
    throw errors.wrongArgument('undoToken', 'the changes are too large to be undone together');
  await deleteOldestTokens(ctx, workspace, user);
}

const deleteOldestTokens = (ctx: Ctx, workspace: number, user: number): Promise<unknown> =>
  ctx.db.rows(
    sql`delete from svc_record_undo where workspace_id = ${workspace} and user_id = ${user} and token in (
       select u.token from svc_record_undo u where u.workspace_id = ${workspace} and u.user_id = ${user}
       group by u.token order by max(u.id) desc offset ${sql.literal(MAX_UNDO_TOKENS)})`,
  );
