import { sql } from '../../../src/db/sql.ts';
import type { AdministratorPowers } from '../../../src/engine/access/agents.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { errors } from '../../../src/errors.ts';
import { selectMemberships } from '../memberships.ts';
import { ADMIN_GROUP } from '../roles.ts';

// Only administrators may add or remove administrators, or change how they sign in. Otherwise, users who manage other
// users could make themselves administrators.

const canMakeAdministrators = (ctx: Ctx): boolean =>
  ctx.sudo || Boolean(ctx.principal?.groups.has(ADMIN_GROUP));

/**
 * User fields that only administrators may change in an administrator's record, because they affect membership, sign-in
 * or identity.
 */
const GUARDED_FIELDS = [
  'group_ids',
  'role',
  'active',
  'login',
  'password',
  'new_password',
  'partner_id',
  'email',
];

/** Runs before users are changed. @throws FORBIDDEN if a user is an administrator and the caller is not */
export async function checkGuardedFields(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  if (GUARDED_FIELDS.some((name) => values[name] !== undefined)) await rejectAdministrators(ctx, ids);
}

/**
 * Runs after users are stored with their groups, and before they are deleted.
 * @throws FORBIDDEN if a user is an administrator and the caller is not
 */
export async function rejectAdministrators(ctx: Ctx, ids: number[]): Promise<void> {
  if (canMakeAdministrators(ctx) || ids.length === 0) return;
  const workspace = sql.param(ctx.workspace.id);
  const [member] = await ctx.db.rows(
    sql`select 1 from res_users u where u.workspace_id = ${workspace} and u.id = any(${ids}) and exists (
       select 1 from res_groups g where g.workspace_id = ${workspace} and g.external_id = ${ADMIN_GROUP}
         and g.id in (${selectMemberships(workspace, sql`u.id`)})) limit 1`,
  );
  if (member) throw createNotAdministratorError();
}

/**
 * Protects the administrators' group and the groups that imply it. Runs before and after groups are changed.
 * @throws FORBIDDEN unless the caller is an administrator
 */
export async function rejectAdministratorGroups(ctx: Ctx, ids: number[]): Promise<void> {
  if (canMakeAdministrators(ctx) || ids.length === 0) return;
  const [leading] = await ctx.db.rows(
    sql`with recursive up(id) as (
       select id from res_groups where workspace_id = ${ctx.workspace.id} and external_id = ${ADMIN_GROUP}
       union
       select r.gid from res_groups_implied_rel r join up on up.id = r.hid where r.workspace_id = ${ctx.workspace.id}
     ) select 1 from up where id = any(${ids}) limit 1`,
  );
  if (leading) throw createNotAdministratorError();
}

export async function loadAdministrators(ctx: Ctx): Promise<AdministratorPowers> {
  const workspace = sql.param(ctx.workspace.id);
  const [row] = await ctx.db.rows<{ users: number[]; active: number[]; groups: number[] }>(
    sql`with recursive up(id) as (
       select id from res_groups where workspace_id = ${workspace} and external_id = ${ADMIN_GROUP}
       union
       select r.gid from res_groups_implied_rel r join up on up.id = r.hid where r.workspace_id = ${workspace}
     ), members as (
       select u.id, u.active from res_users u where u.workspace_id = ${workspace} and u.id in (
         select m.uid from res_groups_users_rel m join up on up.id = m.gid where m.workspace_id = ${workspace})
     ) select array(select id from up) as groups, array(select id from members) as users,
       array(select id from members where active) as active`,
  );
  return row!;
}

const createNotAdministratorError = () =>
  errors.notAllowed(
    'Only an administrator can change who is an administrator, or how an administrator signs in.',
  );
