import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { rejectTooManySeats } from './seats.ts';

interface DeletionTargets {
  users?: number[];
  groups?: number[];
}

/**
 * Checks the workspace after a change to users or groups: it must have an active administrator and enough seats, and no
 * service account may be an administrator. Concurrent checks in a workspace are serialized, because each must see the
 * other's changes.
 * @throws USER_ERROR
 */
export async function checkAdministration(
  ctx: Ctx,
  { users = [], groups = [] }: DeletionTargets = {},
): Promise<void> {
  await ctx.db.rows(
    sql`select pg_advisory_xact_lock(hashtext('administration of a workspace'), ${ctx.workspace.id}::int)`,
  );
  const workspace = sql.param(ctx.workspace.id);
  const groupIds = sql.param(groups);
  const [row] = await ctx.db.rows<{ administrators: number; account: string | null }>(
    sql`with recursive up(id) as (
       select id from res_groups
       where workspace_id = ${workspace} and external_id = ${ADMIN_GROUP} and not id = any(${groupIds}::int[])
       union
       select r.gid from res_groups_implied_rel r join up on up.id = r.hid
       where r.workspace_id = ${workspace} and not r.gid = any(${groupIds}::int[])
     ), members as (
       select u.login, u.active, u.is_svc_agent from res_users u
       where u.workspace_id = ${workspace} and not u.id = any(${users}::int[]) and u.id in (
         select m.uid from res_groups_users_rel m join up on up.id = m.gid where m.workspace_id = ${workspace})
     ) select (count(*) filter (where active))::int as administrators,
       min(login) filter (where is_svc_agent) as account from members`,
  );
  const { administrators, account } = row!;
  if (account !== null) throw errors.user(`The service account ${account} cannot be an administrator.`);
  // The operator, who calls without a user, can always create another administrator.
  if (administrators === 0 && ctx.principal?.kind === 'user')
    throw errors.user(
      'A workspace must have at least one active administrator. Make another user an administrator first.',
    );
  await rejectTooManySeats(ctx);
}
