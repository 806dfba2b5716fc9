import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { write } from '../../../src/engine/write/write.ts';
import { revokeConnectedAgent } from './connected-agents.ts';
import { endSessions } from './user-change.ts';

/**
 * Turns a user into a service account, or back into an ordinary user. A service account authenticates only with keys,
 * so that revoking them cuts off the integration: its password is removed, its sessions end, and its agents' consents
 * are revoked.
 * @throws USER_ERROR for an administrator, and for an ordinary user if no seat is free
 */
export async function setServiceAccount(ctx: Ctx, userId: number, isOne: boolean): Promise<void> {
  await write(ctx, 'res.users', [userId], { is_svc_agent: isOne });
  if (!isOne) return;
  await ctx.db.rows(
    sql`update res_users set password = null where workspace_id = ${ctx.workspace.id} and id = ${userId}`,
  );
  await endSessions(ctx, [userId]);
  const agents = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_connected_agent
     where workspace_id = ${ctx.workspace.id} and user_id = ${userId} and revoked_at is null`,
  );
  for (const { id } of agents) await revokeConnectedAgent(ctx, id, userId);
}
