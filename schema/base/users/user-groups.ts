import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { loadGroupIds } from '../ir/group-ids.ts';

const MAX_USER_GROUPS = 100;

const USER_TYPE_GROUPS = new Set(['base.group_user', 'base.group_portal', 'base.group_public']);

/**
 * Returns the ids of a new user's groups. Adds the internal user group unless they include a user type.
 * @throws NOT_FOUND if a group does not exist, BAD_VALUE if they include more than one user type
 */
export async function validateUserGroups(ctx: Ctx, ids: number[]): Promise<number[]> {
  if (ids.length > MAX_USER_GROUPS)
    throw errors.badValue(`groupIds: must contain at most ${MAX_USER_GROUPS} ids`);
  const workspace = sql.param(ctx.workspace.id);
  const rows = await ctx.db.rows<{ id: number; external_id: string | null; given: boolean }>(
    sql`with recursive all_groups(id) as (
       select g.id from res_groups g where g.workspace_id = ${workspace} and g.id = any(${ids}::int[])
       union
       select r.hid from res_groups_implied_rel r join all_groups a on a.id = r.gid
       where r.workspace_id = ${workspace}
     ) select g.id, g.external_id, g.id = any(${ids}::int[]) as given from res_groups g
     join all_groups a on a.id = g.id where g.workspace_id = ${workspace}`,
  );
  const grantableIds = rows.filter((row) => row.given).map(({ id }) => id);
  const missingId = ids.find((id) => !grantableIds.includes(id));
  if (missingId !== undefined) throw errors.notFound(`Group ${missingId}`);
  const types = rows.filter(({ external_id: name }) => USER_TYPE_GROUPS.has(name ?? ''));
  if (types.length > 1 || types[0]?.external_id === 'base.group_public')
    throw errors.badValue('groupIds: a user cannot be both an internal user and a portal user');
  if (types.length === 1) return grantableIds;
  return [...grantableIds, ...(await loadGroupIds(ctx, ['base.group_user'])).values()];
}
