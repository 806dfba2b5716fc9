import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { call } from '../../../src/engine/operation/call.ts';

/** Returns the names of records in the order of their ids. Skips ids that do not exist. */
export async function loadNamedRecords(
  ctx: Ctx,
  model: string,
  ids: number[],
): Promise<{ id: number; name: string }[]> {
  const rows = await call(ctx, 'recordRead', { model, ids, fields: ['display_name'] });
  return rows
    .value<{ id: number; display_name: string | false }[]>()
    .map(({ id, display_name }) => ({ id, name: display_name || '' }));
}

export const countRecords = ({ length }: readonly number[]): string =>
  length === 1 ? '1 record' : `${length} records`;
