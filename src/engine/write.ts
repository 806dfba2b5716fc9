import { errors, fromPostgres } from '../errors.ts';
import { limits } from '../limits.ts';
import { checkField, checkModel, ruleOf } from './access.ts';
import { recorded } from './audit.ts';
import type { Ctx } from './ctx.ts';
import type { Field, Model, Values } from './model.ts';
import { namingOf } from './naming.ts';
import { checkRows, modelOf } from './records.ts';
import { quote } from './sql.ts';
import { toColumn } from './values.ts';
import { applyLists, type ListValue } from './x2many.ts';

/** Names that callers send along and that are never theirs to set. */
const IGNORED = new Set([
  'id',
  'display_name',
  'create_uid',
  'create_date',
  'write_uid',
  'write_date',
  'parent_path',
]);

interface Split {
  columns: Map<Field, unknown>;
  lists: ListValue[];
}

/**
 * Creates rows, all or none.
 * @returns their ids in the order given
 * @throws ACCESS_ERROR, BAD_VALUE, VALIDATION
 */
export async function create(ctx: Ctx, name: string, list: Values[]): Promise<number[]> {
  const model = modelOf(ctx, name);
  return recorded(ctx, model, 'create', { values: list }, (inner) => createAll(inner, model, list));
}

async function createAll(ctx: Ctx, model: Model, list: Values[]): Promise<number[]> {
  checkModel(ctx, model, 'create');
  if (list.length > limits.domainValues) throw errors.user('too many records in one call');
  return guarded(ctx, () =>
    ctx.tx(async (tx) => {
      const ids: number[] = [];
      for (const given of list) ids.push(await createOne(tx, model, given));
      await afterRule(tx, model, ids, 'create');
      return ids;
    }),
  );
}

async function createOne(ctx: Ctx, model: Model, given: Values): Promise<number> {
  const values = objectOf(given);
  await model.options.beforeSave?.(ctx, values, null);
  const { columns, lists } = split(ctx, model, values, 'create');
  for (const field of model.fields.values()) {
    if (field.required && !field.hasDefault && !field.related && !columns.has(field))
      columns.set(field, toColumn(model, field, null));
  }
  const stamped = stamp(ctx, model, columns, 'create');
  const params: unknown[] = [ctx.workspace.id, ...stamped.values()];
  const names = ['workspace_id', ...[...stamped.keys()].map((field) => quote(field.name))];
  const text = `insert into ${quote(model.table)} (${names.join(', ')}) values (${names.map((_, i) => `$${i + 1}`).join(', ')}) returning id, workspace_id`;
  const id = (await ctx.db.rows<{ id: number }>(text, params))[0]!.id;
  await applyLists(ctx, [id], lists);
  await model.options.afterSave?.(ctx, [id], values);
  return id;
}

/**
 * Writes the same values to all `ids`, all or none.
 * @throws MISSING when one does not exist, ACCESS_ERROR when one is out of reach
 */
export async function write(ctx: Ctx, name: string, ids: number[], given: Values): Promise<true> {
  const model = modelOf(ctx, name);
  return recorded(ctx, model, 'write', { ids, vals: given }, (inner) => writeAll(inner, model, ids, given));
}

async function writeAll(ctx: Ctx, model: Model, ids: number[], given: Values): Promise<true> {
  checkModel(ctx, model, 'write');
  const values = objectOf(given);
  if (ids.length === 0) return true;
  await guarded(ctx, () =>
    ctx.tx(async (tx) => {
      await checkThere(tx, model, ids, 'write');
      await model.options.beforeSave?.(tx, values, ids);
      const { columns, lists } = split(tx, model, values, 'write');
      await update(tx, model, ids, columns);
      await applyLists(tx, ids, lists);
      await model.options.afterSave?.(tx, ids, values);
      await afterRule(tx, model, ids, 'write');
    }),
  );
  return true;
}

async function update(ctx: Ctx, model: Model, ids: number[], columns: Map<Field, unknown>): Promise<void> {
  const stamped = stamp(ctx, model, columns, 'write');
  const params: unknown[] = [ctx.workspace.id, ids];
  const sets = [...stamped].map(([field, value]) => `${quote(field.name)} = $${params.push(value)}`);
  if (sets.length === 0) return;
  await ctx.db.rows(
    `update ${quote(model.table)} set ${sets.join(', ')} where workspace_id = $1 and id = any($2)`,
    params,
  );
}

/**
 * Deletes `ids`, all or none.
 * @throws MISSING when one does not exist, ACCESS_ERROR when one is out of reach
 */
export async function unlink(ctx: Ctx, name: string, ids: number[]): Promise<true> {
  const model = modelOf(ctx, name);
  return recorded(ctx, model, 'unlink', { ids }, (inner) => unlinkAll(inner, model, ids));
}

async function unlinkAll(ctx: Ctx, model: Model, ids: number[]): Promise<true> {
  checkModel(ctx, model, 'unlink');
  if (ids.length === 0) return true;
  await guarded(ctx, () =>
    ctx.tx(async (tx) => {
      await checkThere(tx, model, ids, 'unlink');
      await model.options.beforeUnlink?.(tx, ids);
      await tx.db.rows(`delete from ${quote(model.table)} where workspace_id = $1 and id = any($2)`, [
        tx.workspace.id,
        ids,
      ]);
    }),
  );
  return true;
}

/** All of `ids` must exist and be in reach. */
async function checkThere(
  ctx: Ctx,
  model: Model,
  ids: number[],
  operation: 'write' | 'unlink',
): Promise<void> {
  const found = new Set(await checkRows(ctx, model, ids, operation));
  const absent = ids.filter((id) => !found.has(id));
  if (absent.length) throw errors.missing(model.name, absent);
}

/** What was written must still be inside of the rule; else the transaction is undone. */
async function afterRule(
  ctx: Ctx,
  model: Model,
  ids: number[],
  operation: 'create' | 'write',
): Promise<void> {
  if (ruleOf(ctx, model, operation)) await checkRows(ctx, model, ids, operation);
}

function objectOf(given: unknown): Values {
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    throw errors.badValue('values must be an object of fields');
  return { ...given };
}

function split(ctx: Ctx, model: Model, values: Values, operation: 'create' | 'write'): Split {
  const result: Split = { columns: new Map(), lists: [] };
  for (const [name, value] of Object.entries(values)) {
    if (IGNORED.has(name)) continue;
    const field = model.fields.get(name);
    if (!field) throw errors.unknownField(name, model.name, 'in');
    if ((field.secret || field.readonly) && !ctx.sudo)
      throw errors.fieldAccess(name, model.label, model.name, operation);
    checkField(ctx, model, field, operation);
    if (field.related) continue;
    if (field.type === 'one2many' || field.type === 'many2many') result.lists.push({ field, value });
    else result.columns.set(field, toColumn(model, field, value));
  }
  return result;
}

function stamp(
  ctx: Ctx,
  model: Model,
  columns: Map<Field, unknown>,
  operation: 'create' | 'write',
): Map<Field, unknown> {
  const set = (name: string, value: unknown) => {
    const field = model.fields.get(name);
    if (field && !columns.has(field)) columns.set(field, value);
  };
  const now = new Date().toISOString().slice(0, 23);
  set('write_date', now);
  set('write_uid', ctx.principal?.userId ?? null);
  if (operation === 'create') {
    set('create_date', now);
    set('create_uid', ctx.principal?.userId ?? null);
  }
  return columns;
}

async function guarded<T>(ctx: Ctx, fn: () => Promise<T>): Promise<T> {
  try {
    return await fn();
  } catch (error) {
    throw fromPostgres(error, namingOf(ctx.runtime.registry)) ?? error;
  }
}
