import { perOwner } from '../../../src/cache.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { checkPassword } from '../../../src/engine/value/keys.ts';
import { createThrottle } from '../../../src/engine/value/throttle.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';

/** Somebody with another's key may not guess the password with it. One a process. */
const throttleOf = perOwner((_runtime: Runtime) =>
  createThrottle(limits.identity.loginFailures, limits.identity.loginPause),
);

/** @throws ACCESS_DENIED unless it is the password of the calling user, and after too many that were not */
export async function provePassword(ctx: Ctx, given: string): Promise<void> {
  const id = ctx.principal!.userId!;
  const [user] = await ctx.db.rows<{ password: string | null }>(
    sql`select password from res_users where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  const { passwordCost } = ctx.runtime.config;
  const proof = await throttleOf(ctx.runtime).attempt(`${ctx.workspace.id} ${id}`, async () =>
    (await checkPassword(given, user?.password ?? null, passwordCost, String(id))) ? true : null,
  );
  if (!proof) throw errors.accessDenied();
}
