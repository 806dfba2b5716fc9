import type { Ctx } from './ctx.ts';
import { addDefaults, defaultsOf } from './defaults.ts';
import { isNumber } from './domain-values.ts';
import { type Field, isList } from './field.ts';
import type { Model, Values } from './model.ts';
import { modelOf } from './records.ts';
import { parseSpecification, type Specification } from './specification.ts';
import { linkedValue, webRead } from './web-read.ts';

/**
 * What becomes of the other fields of a form when some of its values have changed: with no `changed` field, what a new
 * record starts with; otherwise what the model itself would add to the values when they are stored, and what follows
 * through a changed link. Nothing is stored.
 * @returns `{value}` with the fields of the specification that differ; `{}` when a changed field is none of the model's
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
  if (changed.some((field) => !model.fields.has(field))) return {};
  const found = changed.length === 0 ? await beginning(ctx, model, values, specification) : {};
  const after: Values = { ...found, ...values };
  if (ids.length === 0) await addDefaults(ctx, model, [after]);
  const before = { ...after };
  await model.options.prepare?.(ctx, [after], ids.length ? ids : null);
  const set = changed.length === 0 ? after : differing(before, after);
  const followed = await followedFrom(ctx, model, after, changed, specification);
  return { value: await shown(ctx, model, { ...found, ...set, ...followed }, values, specification) };
}

/** Every field of the form: its default, or what it is when it is unset. */
async function beginning(
  ctx: Ctx,
  model: Model,
  values: Values,
  specification: Specification,
): Promise<Values> {
  const names = Object.keys(specification).filter((name) => !(name in values));
  const defaults = await defaultsOf(ctx, model.name, names);
  return Object.fromEntries(names.map((name) => [name, defaults[name] ?? unsetOf(model.fields.get(name)!)]));
}

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
