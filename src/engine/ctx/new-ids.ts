import type { Ctx } from './ctx.ts';

/** Ids for `count` new rows of `table` in the ctx's workspace, rising. */
export const newIds = (ctx: Ctx, table: string, count: number): Promise<number[]> =>
  ctx.db.numbers.take(ctx.workspace.id, table, count);

/** The id of a new row of `table` in the ctx's workspace. */
export const newId = async (ctx: Ctx, table: string): Promise<number> => (await newIds(ctx, table, 1))[0]!;
