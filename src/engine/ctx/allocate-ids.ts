import type { Ctx } from './ctx.ts';

/** Allocates ascending ids for `count` new rows of `table` in the ctx's workspace. */
export const allocateIds = (ctx: Ctx, table: string, count: number): Promise<number[]> =>
  ctx.db.idAllocator.allocate(ctx.workspace.id, table, count);

/** Allocates the id of a new row of `table` in the ctx's workspace. */
export const allocateId = async (ctx: Ctx, table: string): Promise<number> =>
  (await allocateIds(ctx, table, 1))[0]!;
