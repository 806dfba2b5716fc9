import type { Ctx } from '../../src/engine/ctx.ts';
import type { Values } from '../../src/engine/model.ts';
import { errors } from '../../src/errors.ts';

const ROLES = ['base.group_user', 'base.group_erp_manager', 'base.group_system'];

/** Ids of groups by their external ids, in the ctx's workspace; those that are not there are left out. */
export async function groupIds(ctx: Ctx, externalIds: string[]): Promise<number[]> {
  const rows = await ctx.db.rows<{ id: number }>(
    `select id from res_groups where workspace_id = $1 and external_id = any($2)`,
    [ctx.workspace.id, externalIds],
  );
  return rows.map((row) => row.id);
}

/** A role stands for one of the groups that give it, and for none of the others. @throws BAD_VALUE */
export async function applyRole(ctx: Ctx, values: Values): Promise<void> {
  const { role } = values;
  delete values.role;
  if (!role) return;
  if (role !== 'group_user' && role !== 'group_system') throw errors.wrongValue('res.users', 'role', role);
  const roles = await groupIds(ctx, ROLES);
  const [group] = await groupIds(ctx, [`base.${role}`]);
  const given = Array.isArray(values.group_ids) ? values.group_ids : [];
  values.group_ids = [...given, ...roles.filter((id) => id !== group).map((id) => [3, id]), [4, group]];
}
