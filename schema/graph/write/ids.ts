import { getModel } from '../../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Model } from '../../../src/engine/model/model.ts';
import { read, searchRead } from '../../../src/engine/read/records.ts';
import { errors } from '../../../src/errors.ts';
import { getKeyField, parseRecordId } from '../plan/values.ts';

// Converts between the public ids that some models expose to clients and the engine's numeric ids.

export async function findRecordIdsByKey(
  ctx: Ctx,
  model: Model,
  ids: string[],
): Promise<Map<string, number>> {
  const key = getKeyField(model);
  const all = ctx.with({ context: { ...ctx.context, activeTest: false } });
  const records = await searchRead(all, {
    model: model.name,
    domain: [[key, 'in', ids]],
    fields: [key],
    page: { order: 'id' },
  });
  const rows = records.value<Record<string, unknown>[]>();
  return new Map(rows.map((row) => [row[key] as string, row.id as number]));
}

/** Returns distinct numeric ids. @throws MISSING if an id does not exist */
export async function findNumericIds(ctx: Ctx, name: string, ids: string[]): Promise<number[]> {
  const model = getModel(ctx, name);
  const publicIds = [...new Set(ids)];
  const isKeyed = getKeyField(model) !== 'id' && publicIds.length > 0;
  const idsByKey = isKeyed ? await findRecordIdsByKey(ctx, model, publicIds) : null;
  const numbers = publicIds.map((id) => (idsByKey ? (idsByKey.get(id) ?? null) : parseRecordId(id, model)));
  const absentIds = publicIds.filter((_, index) => numbers[index] === null);
  if (absentIds.length > 0) throw errors.missing(model.name, absentIds);
  return [...new Set(numbers as number[])];
}

export async function findPublicIds(ctx: Ctx, model: Model, numbers: number[]): Promise<string[]> {
  const key = getKeyField(model);
  if (key === 'id') return numbers.map(String);
  const records = await read(ctx, { model: model.name, ids: numbers, fields: [key] });
  return records.value<Record<string, string>[]>().map((row) => row[key]!);
}
