import { errors } from '../../../errors.ts';
import { checkModel } from '../../access/access.ts';
import { modelOf } from '../../access/reader.ts';
import { checkRows } from '../../access/row-access.ts';
import type { Ctx } from '../../ctx/ctx.ts';
import { type Field, isList, isNumber } from '../../model/field.ts';
import type { Model, Values } from '../../model/model.ts';
import { parseSpecification, type Specification } from '../../read/specification.ts';
import { linkedValue, webRead } from '../../read/web-read.ts';
import { addDefaults, defaultsOf } from '../defaults.ts';
import { makePlain } from '../values.ts';
import { preview } from './preview.ts';

/**
 * What becomes of the other fields of a form when some of its values have changed: with no `changed` field, what a new
 * record starts with; otherwise what storing the form would make of it (see preview.ts), or while it cannot be stored
 * yet, what the model would add to the values and what follows through a changed link. Nothing is stored.
 * @returns `{value}` with the fields of the specification that differ; `{}` when a changed field is none of the model's
 * @throws ACCESS_ERROR for who may not store such a record, MISSING
 */
export async function onchange(
  ctx: Ctx,
  name: string,
  ids: number[],
  values: Values,
  changed: string[],
  given: unknown,
): Promise<{ value?: Values }> {
  const model = modelOf(ctx, name);
  const specification = parseSpecification(ctx, model, given);
  await checkForm(ctx, model, ids);
  if (changed.some((field) => !model.fields.has(field))) return {};
  const isNew = ids.length === 0;
  const isOpened = changed.length === 0;
  const previewed = isOpened ? null : await preview(ctx, { model, ids, values, changed, specification });
  if (previewed) return { value: previewed };
  const started = isOpened ? await defaultsOf(ctx, name, Object.keys(specification)) : {};
  const after: Values = { ...started, ...values };
  if (isNew) await addDefaults(ctx, model, [after]);
  makePlain(model, after);
  const before = { ...after };
  await model.options.prepare?.(ctx, [after], isNew ? null : ids);
  const followed = await followedFrom(ctx, model, after, changed, specification);
  const found = isOpened ? { ...allUnset(model, specification), ...after } : differing(before, after);
  return { value: await shown(ctx, model, { ...found, ...followed }, values, specification) };
}

/** A form is of one record, and of somebody who may store it. */
async function checkForm(ctx: Ctx, model: Model, ids: number[]): Promise<void> {
  if (ids.length > 1) throw errors.badValue('Expected one record');
  checkModel(ctx, model, ids.length ? 'write' : 'create');
  const there = await checkRows(ctx, model, ids, 'write');
  if (there.length < ids.length) throw errors.missing(model.name, ids, ctx.principal?.userId);
}

const allUnset = (model: Model, specification: Specification): Values =>
  Object.fromEntries(Object.keys(specification).map((name) => [name, unsetOf(model.fields.get(name)!)]));

function unsetOf(field: Field): unknown {
  if (isList(field)) return [];
  return isNumber(field) ? 0 : false;
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a ?? false) === JSON.stringify(b ?? false);

const differing = (before: Values, after: Values): Values =>
  Object.fromEntries(Object.entries(after).filter(([name, value]) => !same(before[name], value)));

/** Fields that live on the record that a changed link leads to. */
async function followedFrom(
  ctx: Ctx,
  model: Model,
  values: Values,
  changed: string[],
  specification: Specification,
): Promise<Values> {
  const result: Values = {};
  for (const name of Object.keys(specification)) {
    const field = model.fields.get(name)!;
    if (!field.related || !changed.includes(field.related[0])) continue;
    const [link, target] = field.related;
    const far = model.fields.get(link)!.relation!;
    const id = values[link];
    const rows =
      typeof id === 'number' ? (await webRead(ctx, far, [id], { [target]: {} })).value<Values[]>() : [];
    result[name] = rows[0]?.[target] ?? unsetOf(field);
  }
  return result;
}

async function shown(
  ctx: Ctx,
  model: Model,
  found: Values,
  values: Values,
  specification: Specification,
): Promise<Values> {
  const result: Values = {};
  for (const [name, value] of Object.entries(found)) {
    if (!(name in specification) || (name in values && same(values[name], value))) continue;
    result[name] = await linkedValue(ctx, model.fields.get(name)!, value ?? false, specification);
  }
  return result;
}
