import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { write } from '../../../src/engine/write/write.ts';

/** Writes to the contacts that contain the names and addresses of users or companies, with the rights of `ctx`. */
export async function writeLinkedPartners(
  ctx: Ctx,
  table: 'res_users' | 'res_company',
  ids: number[],
  change: Values,
): Promise<void> {
  if (Object.keys(change).length === 0) return;
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select partner_id as id from ${sql.id(table)}
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and partner_id is not null`,
  );
  await write(
    ctx,
    'res.partner',
    rows.map((row) => row.id),
    change,
  );
}
