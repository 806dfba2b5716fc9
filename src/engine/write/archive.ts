import { errors } from '../../errors.ts';
import { getModel } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Values } from '../model/model.ts';
import { read } from '../read/records.ts';
import { excludeIds } from '../value/exclude-ids.ts';
import { write } from './write.ts';

/**
 * Archives or restores records.
 * @throws MISSING, ACCESS_ERROR, BAD_VALUE for a model whose records cannot be archived
 */
export async function setActive(ctx: Ctx, name: string, ids: number[], active: boolean): Promise<void> {
  await write(ctx, name, ids, { [getActiveField(ctx, name).name]: active });
}

/**
 * Archives active records and restores archived ones.
 * @throws the same errors as setActive
 */
export async function toggleActive(ctx: Ctx, name: string, ids: number[]): Promise<void> {
  const field = getActiveField(ctx, name).name;
  await ctx.tx(async (tx) => {
    const records = await read(tx, { model: name, ids, fields: [field] });
    const rows = await records.valueYielding<(Values & { id: number })[]>();
    const used = rows.filter((row) => row[field]).map((row) => row.id);
    const archivedIds = excludeIds(ids, used);
    if (used.length) await setActive(tx, name, used, false);
    if (archivedIds.length) await setActive(tx, name, archivedIds, true);
  });
}

function getActiveField(ctx: Ctx, name: string): Field {
  const { active } = getModel(ctx, name);
  if (!active) throw errors.unknownField('active', name, 'on');
  return active;
}
