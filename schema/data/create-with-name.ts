import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { read } from '../../src/engine/read/records.ts';
import { create } from '../../src/engine/write/write.ts';

export async function createWithName(ctx: Ctx, name: string, values: Values): Promise<[number, string]> {
  const [id] = await create(ctx, name, [values]);
  const rows = (await read(ctx, { model: name, ids: [id!], fields: ['display_name'] })).value<
    { display_name: string }[]
  >();
  return [id!, rows[0]!.display_name];
}
