import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord } from '../../../src/engine/operation/record-result.ts';
import { create } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { addFirstRecordNames } from '../ir/first-names.ts';
import { loadGroupIds } from '../ir/group-ids.ts';
import { validateUserGroups } from './user-groups.ts';

export const userCreate = defineOperation('userCreate', {
  effects: ['writes', 'grants'],
  policy: { auth: ['ADMIN'], scope: 'write', audit: 'user.create' },
  description: 'Creates a user. A user without a password can only use API keys.',
  args: (arg) => ({
    login: arg.string({ required: true, description: 'Login name, usually an email address.' }),
    name: arg.string({ description: 'Full name. Defaults to the login.' }),
    password: arg.string({ description: 'Initial password.' }),
    admin: arg.boolean({ defaultValue: false, description: 'True to give the user the Administrator role.' }),
    groupIds: arg.recordIds({
      description: 'Groups to add the user to, in addition to the group for internal or portal users.',
    }),
  }),
  ...returnRecord('res.users', facadeResult.id, (id: number) => id),
  run: (ctx, args) => createUser(ctx, args),
});

export interface NewUser {
  login: string;
  name?: string | null;
  password?: string | null;
  admin?: boolean | null;
  /** External identifiers of additional groups. */
  groups?: string[];
  groupIds?: number[] | null;
  companyId?: number;
  /** True for a service account, which takes no seat and has no password. */
  isService?: boolean;
}

/**
 * Creates a user. Does not check permissions.
 * @throws NOT_UNIQUE if the login is taken, NOT_FOUND if a group does not exist, BAD_VALUE if the groups include more
 * than one user type
 */
export async function createUser(ctx: Ctx, user: NewUser): Promise<number> {
  if (user.isService && user.password)
    throw errors.badRequest('A service account has no password: it uses API keys.');
  const login = user.login.trim();
  if (!login || /\s/.test(login)) throw errors.badRequest('A login must not contain spaces.');
  const [existingUser] = await ctx.db.rows(
    sql`select 1 from res_users where workspace_id = ${ctx.workspace.id} and login = ${login}`,
  );
  if (existingUser) throw errors.notUnique(`The login ${login} is already used in this workspace.`);
  const defaultGroups = user.groupIds ? [] : ['base.group_user'];
  const groups = [...(user.admin ? ['base.group_system'] : defaultGroups), ...(user.groups ?? [])];
  const namedGroups = await loadGroupIds(ctx, groups);
  const absent = groups.find((group) => !namedGroups.has(group));
  if (absent) throw errors.notFound(`Group ${absent}`);
  const namedIds = [...namedGroups.values()];
  const groupIds = user.groupIds ? await validateUserGroups(ctx, [...namedIds, ...user.groupIds]) : namedIds;
  const [id] = await create(ctx.system(), 'res.users', [
    {
      login,
      name: user.name || login,
      email: login.includes('@') ? login : false,
      group_ids: [[6, 0, groupIds]],
      ...(user.companyId && { company_id: user.companyId }),
      ...(user.password && { password: user.password }),
      ...(user.isService && { is_svc_agent: true }),
    },
  ]);
  // Clients look up the first administrator by an external identifier.
  if (user.admin) await addFirstRecordNames(ctx.system());
  return id!;
}
