import type { Ctx } from './ctx.ts';

export const allocateIds = (ctx: Ctx, table: string, count: number): Promise<number[]> =>
  ctx.db.idAllocator.allocate(ctx.workspace.id, table, count);

export const allocateId = async (ctx: Ctx, table: string): Promise<number> =>
  (await allocateIds(ctx, table, 1))[0]!;
