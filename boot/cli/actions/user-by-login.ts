import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';

/**
 * Finds a user by login, even if the user is archived.
 * @throws NOT_FOUND
 */
export async function getUserIdByLogin(ctx: Ctx, login: string): Promise<number> {
  const [row] = await ctx.db.rows<{ id: number }>(
    sql`select id from res_users where workspace_id = ${ctx.workspace.id} and login = ${login}`,
  );
  if (!row) throw errors.notFound(`User ${login}`);
  return row.id;
}
