import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { write } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { endSessions } from '../users/user-change.ts';

/**
 * Makes a user a service account, or an ordinary user again. A service account signs in with keys alone, so that an
 * integration ends with its key: it loses its password, and its sessions end.
 * @throws USER_ERROR for an administrator, and for an ordinary user when there is no seat left
 */
export async function setServiceAccount(ctx: Ctx, userId: number, isOne: boolean): Promise<void> {
  await write(ctx, 'res.users', [userId], { is_svc_agent: isOne });
  if (!isOne) return;
  await ctx.db.rows(
    sql`update res_users set password = null where workspace_id = ${ctx.workspace.id} and id = ${userId}`,
  );
  await endSessions(ctx, [userId]);
}

/** @throws USER_ERROR when a service account is to get a password */
export async function refusePasswords(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  if (!values.password && !values.new_password) return;
  const [account] = await ctx.db.rows<{ login: string }>(
    sql`select login from res_users
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and is_svc_agent limit 1`,
  );
  if (account) throw errors.user(`The service account ${account.login} has no password: it uses API keys.`);
}
