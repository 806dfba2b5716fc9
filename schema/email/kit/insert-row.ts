import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

/** Inserts a row into the caller's workspace. Table and column names must not come from user input. @returns its id */
export async function insertRow(ctx: Ctx, table: string, columns: Record<string, unknown>): Promise<number> {
  const user = ctx.principal?.userId ?? null;
  const id = await allocateId(ctx, table);
  const all = { ...columns, id, workspace_id: ctx.workspace.id, create_uid: user, write_uid: user };
  const names = sql.join(Object.keys(all).map((name) => sql.id(name)));
  const values = sql.join(Object.values(all).map((value) => sql`${value}`));
  await ctx.db.rows(sql`insert into ${sql.id(table)} (${names}) values (${values})`);
  return id;
}
