import { checkModel } from './access.ts';
import type { Ctx } from './ctx.ts';
import type { Field } from './field.ts';
import type { Model, Values } from './model.ts';
import { checkRows } from './reach.ts';
import { modelOf } from './reader.ts';
import { isReference, type Specification } from './specification.ts';
import { webRead } from './web-read.ts';

/** Whether fields of what a reference leads to are wanted, at any level. */
export function hasReferences(ctx: Ctx, model: Model, specification: Specification): boolean {
  return Object.entries(specification).some(([name, { fields }]) => {
    const field = model.fields.get(name)!;
    if (!fields) return false;
    return isReference(field) || hasReferences(ctx, modelOf(ctx, field.relation!), fields);
  });
}

/** Puts the records that references lead to in their places; one that leads nowhere is false. */
export async function fillReferences(
  ctx: Ctx,
  model: Model,
  specification: Specification,
  records: Values[],
): Promise<void> {
  for (const [name, { fields }] of Object.entries(specification)) {
    const field = model.fields.get(name)!;
    if (!fields) continue;
    if (isReference(field)) await fill(ctx, field, fields, records, specification);
    else await fillReferences(ctx, modelOf(ctx, field.relation!), fields, innerOf(records, name));
  }
}

const isFull = (value: unknown): value is Values => value !== null && typeof value === 'object';

function innerOf(records: Values[], name: string): Values[] {
  return records.flatMap((record) => record[name]).filter(isFull);
}

async function fill(
  ctx: Ctx,
  field: Field,
  fields: Specification,
  records: Values[],
  specification: Specification,
): Promise<void> {
  const targets = new Map<Values, { model: string; id: number }>();
  for (const record of records) {
    const target = targetOf(ctx, field, record);
    if (target) targets.set(record, target);
  }
  const found = await readAll(ctx, fields, [...targets.values()]);
  for (const record of records) {
    if (!(field.name in record)) continue;
    const target = targets.get(record);
    const row = target && found.get(`${target.model},${target.id}`);
    record[field.name] = row ? { ...row, ...(field.type === 'reference' && { id: target }) } : false;
  }
  if (field.modelField && !(field.modelField in specification))
    for (const record of records) delete record[field.modelField];
}

function targetOf(ctx: Ctx, field: Field, record: Values): { model: string; id: number } | null {
  const value = record[field.name];
  const [model, id] = field.modelField ? [record[field.modelField], value] : String(value).split(',');
  return typeof model === 'string' && ctx.catalog.registry.has(model) && Number(id) > 0
    ? { model, id: Number(id) }
    : null;
}

/** One read for each model. */
async function readAll(
  ctx: Ctx,
  fields: Specification,
  targets: { model: string; id: number }[],
): Promise<Map<string, Values>> {
  const found = new Map<string, Values>();
  for (const name of new Set(targets.map((target) => target.model))) {
    const ids = [...new Set(targets.filter(({ model }) => model === name).map(({ id }) => id))];
    checkModel(ctx, modelOf(ctx, name), 'read');
    const there = await checkRows(ctx, modelOf(ctx, name), ids, 'read');
    const rows = (await webRead(ctx, name, there, fields)).value<Values[]>();
    for (const row of rows) found.set(`${name},${row.id}`, row);
  }
  return found;
}
