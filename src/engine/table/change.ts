import { forEachYielding } from '../../loop/yield.ts';
import { assertModelAccess, canAccessField, canAccessModel } from '../access/access.ts';
import { assertRowsAllowed } from '../access/row-access.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import { isNumberField } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { read, search } from '../read/records.ts';
import { write } from '../write/write.ts';

interface RecordChange {
  id: number;
  values: Values;
}

/**
 * Updates existing records. Skips values that equal the stored ones, and writes records with the same values in one
 * batch.
 * @throws the same errors as write, even for a record without changes
 */
export async function changeRecords(ctx: Ctx, model: Model, changes: RecordChange[]): Promise<void> {
  const isOnce = new Set(changes.map(({ id }) => id)).size === changes.length;
  if (changes.length < 2 || !isOnce) {
    for (const { id, values } of changes) await write(ctx, model.name, [id], values);
    return;
  }
  const storedValues = await loadStoredValues(ctx, model, changes);
  const equalIds: number[] = [];
  const differentChanges: RecordChange[] = [];
  await forEachYielding(changes, (change) => {
    if (hasStoredValues(model, storedValues.get(change.id), change.values)) equalIds.push(change.id);
    else differentChanges.push(change);
  });
  if (equalIds.length) {
    assertModelAccess(ctx, model, 'write');
    await assertRowsAllowed(ctx, model, equalIds, 'write');
  }
  for (const { ids, values } of await groupChanges(model, differentChanges))
    await write(ctx, model.name, ids, values);
}

/** Loads the stored values of comparable fields, for records that the caller may read. */
async function loadStoredValues(
  ctx: Ctx,
  model: Model,
  changes: RecordChange[],
): Promise<Map<number, Values>> {
  const changedNames = new Set(changes.flatMap(({ values }) => Object.keys(values)));
  const names = [...changedNames].filter((name) => isComparableField(ctx, model.fields.get(name)!));
  if (!canAccessModel(ctx, model, 'read') || (changedNames.size > 0 && names.length === 0)) return new Map();
  const all = ctx.with({ context: { ...ctx.context, activeTest: false } });
  const changedIds = changes.map(({ id }) => id);
  const ids = await search(all, model.name, [['id', 'in', changedIds]]);
  const rows = await read(all, { model: model.name, ids, fields: ['id', ...names], flavour: 'ids' });
  return new Map((await rows.valueYielding<(Values & { id: number })[]>()).map((row) => [row.id, row]));
}

const COMPARABLE_TYPES: ReadonlySet<Field['type']> = new Set([
  'char',
  'text',
  'html',
  'boolean',
  'integer',
  'float',
  'monetary',
  'date',
  'datetime',
  'selection',
  'many2one',
  'many2many',
]);

/**
 * Returns true if the field is compared with its stored value. Fields that callers may not set are not compared, so
 * that `write` rejects them.
 */
export const isComparableField = (ctx: Ctx, field: Field): boolean =>
  COMPARABLE_TYPES.has(field.type) &&
  !field.readonly &&
  !field.secret &&
  !field.related &&
  !field.computed &&
  canAccessField(ctx, field);

function hasStoredValues(model: Model, storedValues: Values | undefined, values: Values): boolean {
  return (
    storedValues !== undefined &&
    Object.entries(values).every(
      ([name, value]) =>
        name in storedValues && isSameFieldValue(model.fields.get(name)!, storedValues[name], value),
    )
  );
}

function isSameFieldValue(field: Field, storedValue: unknown, value: unknown): boolean {
  if (field.type === 'many2many') {
    const [[, , ids]] = value as [[6, 0, number[]]];
    const idSet = new Set(ids);
    return (
      idSet.size === (storedValue as number[]).length &&
      (storedValue as number[]).every((id) => idSet.has(id))
    );
  }
  if (isNumberField(field)) return Number(storedValue || 0) === Number(value || 0);
  return (storedValue || false) === (value || false);
}

/** Does not group changes that contain one2many lines, because a line belongs to a single record. */
async function groupChanges(
  model: Model,
  changes: RecordChange[],
): Promise<{ ids: number[]; values: Values }[]> {
  const groups = new Map<string, { ids: number[]; values: Values }>();
  await forEachYielding(changes, ({ id, values }) => {
    const hasLines = Object.keys(values).some((name) => model.fields.get(name)!.type === 'one2many');
    const key = hasLines ? `${id}` : JSON.stringify(values);
    const group = groups.get(key);
    if (group) group.ids.push(id);
    else groups.set(key, { ids: [id], values });
  });
  return [...groups.values()];
}
