import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

/** Writes a new row of the caller's workspace; names of tables and columns are the program's own. @returns its id */
export async function insertRow(ctx: Ctx, table: string, columns: Record<string, unknown>): Promise<number> {
  const user = ctx.principal?.userId ?? null;
  const all = { ...columns, create_uid: user, write_uid: user };
  const names = Object.keys(all).map((name) => `"${name}"`);
  const places = names.map((_, at) => `$${at + 2}`);
  const [row] = await ctx.db.rows<{ id: number }>(
    `insert into ${table} (workspace_id, ${names.join(', ')}) values ($1, ${places.join(', ')}) returning id`,
    [ctx.workspace.id, ...Object.values(all)],
  );
  return row!.id;
}
