import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { hashPassword } from '../../../src/engine/value/keys.ts';
import { setOwn } from '../../../src/engine/write/values.ts';
import { errors } from '../../../src/errors.ts';
import { parameter } from '../ir/parameter.ts';

/** Characters that a password has at least, unless the workspace says otherwise. */
const SHORTEST = 8;
const SHORTEST_KEY = 'auth_password_policy.minlength';
/** Hashing time grows with the length; real passwords are shorter. */
const LONGEST = 1_000;

/** @throws USER_ERROR for a password that protects nothing */
export async function checkNewPassword(ctx: Ctx, password: unknown): Promise<string> {
  if (typeof password !== 'string' || password === '')
    throw errors.user("The field 'password' cannot be empty, for security reasons.");
  const shortest = shortestOf(await parameter(ctx, SHORTEST_KEY));
  if (password.length < shortest) throw errors.user(`A password has at least ${shortest} characters.`);
  if (password.length > LONGEST) throw errors.user(`A password has at most ${LONGEST} characters.`);
  return password;
}

/** A setting that is no number is none. Pure. */
const shortestOf = (setting: string | null | undefined | false): number =>
  setting && /^\d{1,4}$/.test(setting.trim()) ? Number(setting) : SHORTEST;

/** @throws BUSY when too many passwords are being hashed */
export const newHash = (ctx: Ctx, password: string): Promise<string> =>
  hashPassword(password, ctx.runtime.config.passwordCost, String(ctx.principal?.userId));

/**
 * Puts the hash where a password was given, as `password` or `new_password`.
 * @returns whether one was; unset counts as none
 */
export async function hashGiven(ctx: Ctx, values: Values): Promise<boolean> {
  const given = values.new_password || values.password;
  delete values.new_password;
  delete values.password;
  if (!given) return false;
  setOwn(values, { password: await newHash(ctx, await checkNewPassword(ctx, given)) });
  return true;
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
