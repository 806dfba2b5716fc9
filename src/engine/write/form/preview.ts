import { sql } from '../../../db/sql.ts';
import { AppError } from '../../../errors.ts';
import { isObject } from '../../../json.ts';
import { createStatement, getModel } from '../../access/create-statement.ts';
import { type CallUsage, createCallUsage } from '../../ctx/call-usage.ts';
import type { Ctx } from '../../ctx/ctx.ts';
import { runInSavepoint } from '../../ctx/savepoint.ts';
import { type Field, isListField, isNumberField } from '../../model/field.ts';
import type { Model, Values } from '../../model/model.ts';
import type { Specification } from '../../read/specification.ts';
import { webRead } from '../../read/web-read.ts';
import { buildSourceSql } from '../../sql/columns.ts';
import { addSource } from '../../sql/statement.ts';
import { IGNORED_FIELDS } from '../values.ts';
import { create, write } from '../write.ts';

interface FilledForm {
  model: Model;
  /** Id of the record. Empty for a new record. */
  ids: number[];
  values: Values;
  changed: string[];
  specification: Specification;
  /** Fields to recompute because of the changed fields. */
  followers: ReadonlySet<string>;
}

/** Thrown to roll back a preview. Carries the stored record. */
class RolledBackError extends Error {
  readonly record: Values;
  constructor(record: Values) {
    super('undone');
    this.record = record;
  }
}

/** Returns the values that the change sets in the form according to the model. */
export async function adjustForm(ctx: Ctx, form: Omit<FilledForm, 'followers'>): Promise<Values> {
  const { model, ids, values, changed, specification } = form;
  const { adjust } = model.options.preview ?? {};
  if (!adjust) return {};
  const before = ids.length > 0 ? await readStoredValues(ctx, model, ids, Object.keys(specification)) : {};
  return adjust(ctx, { ...before, ...values }, changed);
}

/**
 * Computes a form's fields as if it were stored. It is stored in a transaction that is rolled back, so hooks, rounding,
 * lines and rights apply, but nothing is sent or announced.
 * @returns the specified fields that differ from the form; null if the form cannot be stored yet
 */
export async function previewForm(ctx: Ctx, input: Omit<FilledForm, 'followers'>): Promise<Values | null> {
  const { model, ids, specification, changed } = input;
  if (!model.options.preview) return null;
  const before = ids.length > 0 ? await readStoredValues(ctx, model, ids, Object.keys(specification)) : {};
  const formValues = { ...before, ...input.values };
  const form = { ...input, followers: findFollowers(model, changed, formValues) };
  const after = await storeAndRead(ctx, form, before);
  if (!after) return null;
  const cleared = findClearedFollowers(form, formValues, after);
  // Keeps the entered values of these fields, if the form can be stored with them.
  const followers = new Set([...form.followers].filter((name) => !cleared.includes(name)));
  const kept = cleared.length > 0 ? await storeAndRead(ctx, { ...form, followers }, before) : after;
  return computeDifferences(ctx, form, before, kept ?? after);
}

/** Returns the record as stored, without keeping it. Null if it cannot be stored. */
async function storeAndRead(ctx: Ctx, form: FilledForm, before: Values): Promise<Values | null> {
  const { model, ids, followers } = form;
  const values = toStorableValues(ctx, form, before);
  const context = { ...ctx.context, recomputedFields: followers };
  const callUsage = createCallUsage();
  const after = await runAndRollBack(ctx.with({ context, callUsage }), async (tx) => {
    const [id] = ids.length > 0 ? ids : await create(tx, model.name, [values]);
    if (ids.length > 0) await write(tx, model.name, ids, values);
    return (await webRead(tx, model.name, [id!], buildReadSpecification(form))).value<Values[]>()[0];
  });
  return after && unsetNewLinks(ctx, model, after, callUsage);
}

/** Finds recomputed fields that are unset although the form has a value. Related values always come from the link. */
const findClearedFollowers = ({ model, followers }: FilledForm, values: Values, after: Values): string[] =>
  [...followers].filter((name) => {
    const { type, related } = model.fields.get(name)!;
    return (
      name in after &&
      !related &&
      type !== 'boolean' &&
      isUnsetValue(after[name]) &&
      !isUnsetValue(values[name])
    );
  });

/** Clears links to records that existed only in the preview, such as a contact that is its own commercial entity. */
async function unsetNewLinks(
  ctx: Ctx,
  model: Model,
  record: Values,
  { changedRecords }: CallUsage,
): Promise<Values> {
  const result = { ...record };
  for (const [name, value] of Object.entries(record)) {
    const { type, relation } = model.fields.get(name)!;
    const id = toPlainValue(value);
    if (type !== 'many2one' || typeof id !== 'number' || !changedRecords.get(relation!)?.has(id)) continue;
    const statement = createStatement(ctx);
    const target = addSource(statement, getModel(ctx, relation!));
    const rows = await ctx.db.rows(
      sql`select 1 from ${buildSourceSql(statement, target)} and ${target.row}.id = ${id}`,
    );
    if (rows.length === 0) result[name] = false;
  }
  return result;
}

async function readStoredValues(ctx: Ctx, model: Model, ids: number[], names: string[]): Promise<Values> {
  const specification = Object.fromEntries(names.map((name) => [name, {}]));
  return (await webRead(ctx, model.name, ids, specification)).value<Values[]>()[0] ?? {};
}

/** Runs `fn`, rolls back its changes and returns its record. Null if the changes are rejected. */
async function runAndRollBack(
  ctx: Ctx,
  fn: (tx: Ctx) => Promise<Values | undefined>,
): Promise<Values | null> {
  try {
    await ctx.tx((tx) =>
      runInSavepoint(tx, async () => {
        throw new RolledBackError((await fn(tx)) ?? {});
      }),
    );
    return null;
  } catch (error) {
    if (error instanceof RolledBackError) return 'id' in error.record ? error.record : null;
    if (error instanceof AppError) return null;
    throw error;
  }
}

const isUnsetValue = (value: unknown): boolean =>
  value === undefined || value === null || value === false || value === '';

function toStorableValues(ctx: Ctx, form: FilledForm, before: Values): Values {
  const { model, ids, values, changed, followers } = form;
  const isNew = ids.length === 0;
  const storableEntries = Object.entries(values).filter(([name, value]) => {
    const field = model.fields.get(name);
    if (!field || !isEnteredField(model, field)) return false;
    if (changed.includes(name)) return true;
    if (followers.has(name)) return false;
    if (!isNew) return !isSameValue(before[name], value);
    // Forms also send empty fields, which the model computes, unless the user has emptied them.
    return field.type === 'boolean' || !isUnsetValue(value) || isEmptied(form, field);
  });
  return Object.fromEntries(
    storableEntries.map(([name, value]) => [name, toStorableValue(ctx, model.fields.get(name)!, value)]),
  );
}

/** Returns true if the field was filled from another field of the form, and is empty now. */
const isEmptied = ({ model, values, changed }: FilledForm, { name, required }: Field): boolean =>
  // The lines of a form do not tell which field has changed.
  changed.length > 0 &&
  !required &&
  Object.entries(model.options.preview!.follows ?? {}).some(
    ([source, followers]) => followers.includes(name) && !isUnsetValue(values[source]),
  );

function isEnteredField({ options }: Model, field: Field): boolean {
  if (IGNORED_FIELDS.has(field.name) || field.type === 'binary' || field.thread) return false;
  if (options.preview!.ignores?.includes(field.name) || field.secret) return false;
  if (options.accepts?.includes(field.name) || field.inherited) return true;
  return !field.readonly && !field.related && !field.computed;
}

/** Finds the fields to recompute because of changed fields. @param values all values of the form */
export function findFollowers({ options }: Model, changedNames: string[], values: Values): Set<string> {
  const followers = new Set(changedNames.flatMap((name) => options.preview?.follows?.[name] ?? []));
  const keptNames = options.preview?.keeps?.(values, changedNames) ?? [];
  for (const name of [...changedNames, ...keptNames]) followers.delete(name);
  return followers;
}

/** Drops the computed values of lines. */
function toStorableValue(ctx: Ctx, field: Field, value: unknown): unknown {
  const target = field.type === 'one2many' ? ctx.catalog.registry.get(field.relation!) : undefined;
  if (!target?.options.preview || !Array.isArray(value)) return value;
  return value.map((command) => {
    if (!Array.isArray(command) || command[0] > 1 || !isObject(command[2])) return command;
    const [code, id, values] = command as [number, unknown, Values];
    const ids = code === 1 ? [0] : [];
    const line = { model: target, ids, values, changed: [], specification: {}, followers: new Set<string>() };
    return [code, id, toStorableValues(ctx, line, {})];
  });
}

/** Specifies how to read the stored record. Reads lists only if the form sent them. */
function buildReadSpecification({ model, values, specification }: FilledForm): Specification {
  const names = Object.keys(specification).filter((name) => {
    const field = model.fields.get(name)!;
    if (field.type === 'binary' || field.thread) return false;
    return field.type === 'one2many' ? Array.isArray(values[name]) : true;
  });
  return Object.fromEntries(
    names.map((name) => {
      const { fields, context } = specification[name]!;
      return [name, fields && model.fields.get(name)!.type !== 'many2many' ? { fields, context } : {}];
    }),
  );
}

function computeDifferences(ctx: Ctx, form: FilledForm, before: Values, after: Values): Values {
  const { model } = form;
  const values = { ...before, ...form.values };
  const result: Values = {};
  for (const [name, value] of Object.entries(after)) {
    const field = model.fields.get(name)!;
    if (IGNORED_FIELDS.has(name) || model.options.preview!.ignores?.includes(name)) continue;
    const formValue = isListField(field)
      ? toListCommands(ctx, form, { field, before: before[name], after: value })
      : value;
    if (
      formValue === undefined ||
      (!isListField(field) && isSameValue(values[name] ?? getUnsetValue(field), value))
    )
      continue;
    result[name] = formValue;
  }
  return result;
}

const getUnsetValue = (field: Field): unknown => (isNumberField(field) ? 0 : false);

const toPlainValue = (value: unknown): unknown => (isObject(value) && 'id' in value ? value.id : value);

const isSameValue = (a: unknown, b: unknown): boolean =>
  JSON.stringify(toPlainValue(a) ?? false) === JSON.stringify(toPlainValue(b) ?? false) ||
  (isUnsetValue(a) && isUnsetValue(b));

interface ListChange {
  field: Field;
  /** Stored ids. Undefined for a new record. */
  before: unknown;
  after: unknown;
}

function toListCommands(ctx: Ctx, form: FilledForm, { field, before, after }: ListChange): unknown {
  if (field.type === 'one2many') return buildLineCommands(ctx, form, field, after as (Values | number)[]);
  const commands = form.values[field.name];
  // An item that the form adds has no id yet.
  if (Array.isArray(commands) && commands.some((command) => Array.isArray(command) && command[0] === 0))
    return undefined;
  const ids = [...(after as number[])].sort((a, b) => a - b);
  return isSameList(applyCommands(before, commands), ids) ? undefined : [[6, 0, ids]];
}

const isSameList = (ids: ReadonlySet<number>, others: readonly number[]): boolean =>
  ids.size === others.length && others.every((id) => ids.has(id));

/** Returns the ids in a list after the commands. A list of ids replaces the list. */
function applyCommands(before: unknown, commands: unknown): Set<number> {
  const ids = new Set((before || []) as number[]);
  if (!Array.isArray(commands)) return commands === undefined ? ids : new Set();
  if (commands.some((command) => typeof command === 'number')) return new Set(commands);
  for (const command of commands) {
    const [code, id, items] = Array.isArray(command) ? command : [];
    if (code === 4) ids.add(id);
    if (code === 2 || code === 3) ids.delete(id);
    if (code === 5 || code === 6) ids.clear();
    if (code === 6 && Array.isArray(items)) for (const item of items) ids.add(item);
  }
  return ids;
}

/** Builds `[1, id, values]` for each changed line. New lines keep the virtual id from the form. */
function buildLineCommands(
  ctx: Ctx,
  form: FilledForm,
  field: Field,
  after: (Values | number)[],
): [number, unknown, Values][] | undefined {
  if (!form.specification[field.name]!.fields) return undefined;
  const target = ctx.catalog.registry.get(field.relation!)!;
  const lines = after as (Values & { id: number })[];
  const commands = (form.values[field.name] as unknown[]).filter((item): item is [number, unknown, unknown] =>
    Array.isArray(item),
  );
  const commandedIds = new Set(commands.filter(([code]) => code !== 0).map(([, id]) => id));
  const addedCommands = commands.filter(([code]) => code === 0);
  // New lines have the highest ids, in the order they were sent.
  const newLines = lines
    .filter(({ id }) => !commandedIds.has(id))
    .sort((a, b) => a.id - b.id)
    .slice(-addedCommands.length);
  const pairs = [
    ...commands
      .filter(([code]) => code === 1)
      .map(([, id, values]) => [id, values, lines.find((line) => line.id === id), true] as const),
    ...addedCommands.map(([, id, values], index) => [id, values, newLines[index], false] as const),
  ];
  const changedLines = pairs.flatMap(([id, values, line, isStored]): [number, unknown, Values][] => {
    const differences =
      line && isObject(values) ? computeLineDifferences(target, values, line, isStored) : {};
    return Object.keys(differences).length > 0 ? [[1, id, differences]] : [];
  });
  return changedLines.length > 0 ? changedLines : undefined;
}

/** @param isStored true if `values` are changes to a stored line, so that a missing value is not an empty one */
function computeLineDifferences(target: Model, values: Values, line: Values, isStored: boolean): Values {
  const entries = Object.entries(line).filter(([name, value]) => {
    const field = target.fields.get(name)!;
    if (IGNORED_FIELDS.has(name)) return false;
    if (isStored && !(name in values)) return true;
    if (isListField(field)) return !isSameList(applyCommands([], values[name]), value as number[]);
    return !isSameValue(values[name] ?? getUnsetValue(field), value);
  });
  return Object.fromEntries(
    entries.map(([name, value]) => [name, isListField(target.fields.get(name)!) ? [[6, 0, value]] : value]),
  );
}
