import { errors } from '../../../errors.ts';
import { isObject } from '../../../json.ts';
import { assertModelAccess } from '../../access/access.ts';
import { getModel } from '../../access/create-statement.ts';
import { assertRowsAllowed } from '../../access/row-access.ts';
import type { Ctx } from '../../ctx/ctx.ts';
import { type Field, isListField, isNumberField } from '../../model/field.ts';
import type { Model, Values } from '../../model/model.ts';
import { parseSpecification, type Specification } from '../../read/specification.ts';
import { readLinkedValue, webRead } from '../../read/web-read.ts';
import { addDefaults, computeDefaults } from '../defaults.ts';
import { normalizeValuesForHooks } from '../values.ts';
import { adjustForm, findFollowers, previewForm } from './preview.ts';

/**
 * Computes how changes in a form affect its other fields, without storing anything. If no field has changed, returns
 * the initial values of a new record. Otherwise, returns what storing the form would produce (see preview.ts). If the
 * form cannot be stored yet, returns the values that the model adds, and the related fields of a changed link.
 * @returns `{value}` with the specified fields that differ; `{}` if a changed field does not exist
 * @throws ACCESS_ERROR if the caller may not store such a record, MISSING
 */
export async function onchange(
  ctx: Ctx,
  name: string,
  ids: number[],
  values: Values,
  changedNames: string[],
  fieldSpecs: unknown,
): Promise<{ value?: Values }> {
  const model = getModel(ctx, name);
  const specification = parseSpecification(ctx, model, fieldSpecs);
  await assertForm(ctx, model, ids);
  if (changedNames.some((field) => !model.fields.has(field))) return {};
  const isNew = ids.length === 0;
  const isOpened = changedNames.length === 0;
  const form = { model, ids, values, changed: changedNames, specification };
  const adjustments = isOpened ? {} : await adjustForm(ctx, form);
  const adjustedForm = {
    ...form,
    values: { ...values, ...adjustments },
    changed: [...changedNames, ...Object.keys(adjustments)],
  };
  const previewedValues = isOpened ? null : await previewForm(ctx, adjustedForm);
  if (previewedValues)
    return {
      value: {
        ...(await formatFoundValues(ctx, model, adjustments, values, specification)),
        ...previewedValues,
      },
    };
  const defaults = isOpened ? await computeDefaults(ctx, name, Object.keys(specification)) : {};
  const after: Values = { ...defaults, ...adjustedForm.values };
  if (isNew) await addDefaults(ctx, model, [after]);
  normalizeValuesForHooks(model, after);
  const before = { ...after };
  // Hooks cannot distinguish an empty number from an entered 0.
  for (const follower of findFollowers(model, changedNames, after))
    if (isNumberField(model.fields.get(follower)!)) delete after[follower];
  await model.options.prepare?.(ctx, [after], isNew ? null : ids);
  const followedValues = await readFollowedValues(ctx, model, after, changedNames, specification);
  const result = isOpened
    ? { ...buildUnsetValues(model, specification), ...after }
    : selectDifferingValues(before, after);
  const foundValues = { ...adjustments, ...result, ...followedValues };
  return {
    value: {
      ...(await formatFoundValues(ctx, model, foundValues, values, specification)),
      ...(await computeLines(ctx, form)),
    },
  };
}

/**
 * Computes the changed lines of a form that cannot be stored yet, each like a form of its own.
 * @returns `[1, id, values]` for each line with other values, by field name
 */
async function computeLines(
  ctx: Ctx,
  { model, values, changed, specification }: ChangedForm,
): Promise<Values> {
  const result: Values = {};
  for (const name of changed) {
    const { type, relation } = model.fields.get(name)!;
    const fieldSpecs = specification[name]?.fields;
    const target = type === 'one2many' ? ctx.catalog.registry.get(relation!) : undefined;
    if (!target?.options.preview || !fieldSpecs || !Array.isArray(values[name])) continue;
    const commands: unknown[] = [];
    for (const command of values[name].slice(0, MAX_COMPUTED_LINES)) {
      const [code, id, line] = Array.isArray(command) ? command : [];
      if (code !== 0 || !isObject(line)) continue;
      const { value = {} } = await onchange(ctx, target.name, [], line, Object.keys(line), fieldSpecs);
      if (Object.keys(value).length > 0) commands.push([1, id, value]);
    }
    if (commands.length > 0) result[name] = commands;
  }
  return result;
}

/** Lines of a form that cannot be stored yet are computed one by one. */
const MAX_COMPUTED_LINES = 100;

interface ChangedForm {
  model: Model;
  values: Values;
  changed: string[];
  specification: Specification;
}

/** A form contains one record, which the caller must be allowed to store. */
async function assertForm(ctx: Ctx, model: Model, ids: number[]): Promise<void> {
  if (ids.length > 1) throw errors.notSingle(model.name, ids);
  assertModelAccess(ctx, model, ids.length ? 'write' : 'create');
  const existingIds = await assertRowsAllowed(ctx, model, ids, 'write');
  if (existingIds.length < ids.length) throw errors.missing(model.name, ids, ctx.principal?.userId);
}

const buildUnsetValues = (model: Model, specification: Specification): Values =>
  Object.fromEntries(
    Object.keys(specification).map((name) => [name, getUnsetValue(model.fields.get(name)!)]),
  );

function getUnsetValue(field: Field): unknown {
  if (isListField(field)) return [];
  return isNumberField(field) ? 0 : false;
}

const isSameValue = (a: unknown, b: unknown): boolean =>
  JSON.stringify(a ?? false) === JSON.stringify(b ?? false);

const selectDifferingValues = (before: Values, after: Values): Values =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSameValue(before[name], value)));

async function readFollowedValues(
  ctx: Ctx,
  model: Model,
  values: Values,
  changedNames: string[],
  specification: Specification,
): Promise<Values> {
  const result: Values = {};
  for (const name of Object.keys(specification)) {
    const field = model.fields.get(name)!;
    if (!field.related || !changedNames.includes(field.related[0])) continue;
    const [link, target] = field.related;
    const targetName = model.fields.get(link)!.relation!;
    const id = values[link];
    const rows =
      typeof id === 'number'
        ? (await webRead(ctx, targetName, [id], { [target]: {} })).value<Values[]>()
        : [];
    result[name] = rows[0]?.[target] ?? getUnsetValue(field);
  }
  return result;
}

async function formatFoundValues(
  ctx: Ctx,
  model: Model,
  computedValues: Values,
  values: Values,
  specification: Specification,
): Promise<Values> {
  const result: Values = {};
  for (const [name, value] of Object.entries(computedValues)) {
    if (!(name in specification) || (name in values && isSameValue(values[name], value))) continue;
    result[name] = await readLinkedValue(ctx, model.fields.get(name)!, value ?? false, specification);
  }
  return result;
}
