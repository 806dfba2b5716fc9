import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { call } from '../../../src/engine/verb/call.ts';

/** The records by name, in the order of their ids; those that do not exist are left out. */
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
