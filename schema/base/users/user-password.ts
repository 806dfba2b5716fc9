import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { isCommonPassword } from '../../../src/engine/value/common-passwords.ts';
import { hashPassword } from '../../../src/engine/value/keys.ts';
import { setHookValues } from '../../../src/engine/write/values.ts';
import { errors } from '../../../src/errors.ts';
import { findParameter } from '../ir/parameter.ts';
import { ADMIN_GROUP } from '../roles.ts';

/** Workspaces can require longer passwords. */
const MIN_PASSWORD_LENGTH = 8;
const MIN_ADMIN_PASSWORD_LENGTH = 12;
const MIN_LENGTH_PARAMETER = 'auth_password_policy.minlength';
/** Limits the time to hash a password, which grows with its length. */
const MAX_PASSWORD_LENGTH = 1_000;

/** @throws USER_ERROR if the password is too weak or too long */
export async function checkNewPassword(
  ctx: Ctx,
  password: unknown,
  isAdministrator: boolean,
): Promise<string> {
  if (typeof password !== 'string' || password === '')
    throw errors.user("The field 'password' cannot be empty.");
  const shortest = parseMinLength(await findParameter(ctx, MIN_LENGTH_PARAMETER));
  if (password.length < shortest) throw errors.user(`A password must have at least ${shortest} characters.`);
  if (isAdministrator && password.length < MIN_ADMIN_PASSWORD_LENGTH)
    throw errors.user(
      `The password of an administrator must have at least ${MIN_ADMIN_PASSWORD_LENGTH} characters.`,
    );
  if (password.length > MAX_PASSWORD_LENGTH)
    throw errors.user(`A password may have at most ${MAX_PASSWORD_LENGTH} characters.`);
  if (password.trim() === '')
    throw errors.user('A password cannot consist of spaces only. Choose another one.');
  if (isCommonPassword(password)) throw errors.user('This password is too common. Choose another one.');
  return password;
}

const parseMinLength = (setting: string | null | undefined | false): number =>
  setting && /^\d{1,4}$/.test(setting.trim())
    ? Math.max(Number(setting), MIN_PASSWORD_LENGTH)
    : MIN_PASSWORD_LENGTH;

/** @throws BUSY if too many passwords are being hashed */
export const hashNewPassword = (ctx: Ctx, password: string): Promise<string> =>
  hashPassword(password, ctx.runtime.config.passwordCost, String(ctx.principal?.userId));

/**
 * Replaces the password in `password` or `new_password` with its hash.
 * @param ids empty for a new user
 * @returns true if a password was given
 */
export async function hashPasswordValues(ctx: Ctx, values: Values, ids: number[] = []): Promise<boolean> {
  const password = values.new_password || values.password;
  delete values.new_password;
  delete values.password;
  if (!password) return false;
  const isAdministrator = await hasAdministrator(ctx, ids, getAddedIds(values.group_ids));
  setHookValues(values, {
    password: await hashNewPassword(ctx, await checkNewPassword(ctx, password, isAdministrator)),
  });
  return true;
}

/** Returns true if one of the users is an administrator, or if the groups make a user an administrator. */
export async function hasAdministrator(ctx: Ctx, users: number[], groups: number[] = []): Promise<boolean> {
  const workspace = sql.param(ctx.workspace.id);
  const rows = await ctx.db.rows(
    sql`with recursive held(gid) as (
       select gid from (select gid from res_groups_users_rel
         where workspace_id = ${workspace} and uid = any(${users}::int8[])
         union select unnest(${groups}::int8[])) g
       union select i.hid from res_groups_implied_rel i join held on i.gid = held.gid
         where i.workspace_id = ${workspace})
     select 1 from res_groups g where g.workspace_id = ${workspace} and g.external_id = ${ADMIN_GROUP}
       and g.id in (select gid from held)`,
  );
  return rows.length > 0;
}

/** Returns the ids added by x2many commands such as `[4, id]` and `[6, 0, ids]`. */
const getAddedIds = (commands: unknown): number[] =>
  Array.isArray(commands)
    ? commands
        .flatMap((command: unknown) => {
          if (!Array.isArray(command)) return [command];
          return command[0] === 4 ? [command[1]] : command[0] === 6 ? command[2] : [];
        })
        .filter((id): id is number => Number.isInteger(id))
    : [];

/** @throws USER_ERROR if a service account would get a password */
export async function rejectPasswords(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  if (!values.password && !values.new_password) return;
  const [account] = await ctx.db.rows<{ login: string }>(
    sql`select login from res_users
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and is_svc_agent limit 1`,
  );
  if (account) throw errors.user(`The service account ${account.login} has no password: it uses API keys.`);
}
