import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { errors } from '../../../src/errors.ts';
import { loadGroupIds } from '../ir/group-ids.ts';

const ROLE_GROUPS = ['base.group_user', 'base.group_erp_manager', 'base.group_system'];

/** Replaces all role groups with the role's group. @throws BAD_VALUE if the role does not exist */
export async function replaceRoleGroups(ctx: Ctx, values: Values): Promise<void> {
  const { role } = values;
  delete values.role;
  if (!role) return;
  if (role !== 'group_user' && role !== 'group_system') throw errors.wrongValue('res.users', 'role', role);
  const roles = await loadGroupIds(ctx, ROLE_GROUPS);
  const group = roles.get(`base.${role}`);
  const removeCommands = [...roles.values()].filter((id) => id !== group).map((id) => [3, id]);
  const groupCommands = Array.isArray(values.group_ids) ? values.group_ids : [];
  values.group_ids = [...groupCommands, ...removeCommands, [4, group]];
}
