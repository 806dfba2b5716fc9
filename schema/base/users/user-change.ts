import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { clearUserFailures } from '../../../src/engine/identity/failures.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { errors } from '../../../src/errors.ts';
import { writeLinkedPartners } from '../partners/linked-partners.ts';
import { checkLocale } from '../partners/locale.ts';
import { checkContacts, PARTNER_FIELDS, pickInheritedValues, rejectTakenLogins } from './user-new.ts';
import { hashPasswordValues, rejectPasswords } from './user-password.ts';
import { replaceRoleGroups } from './user-role.ts';

export async function changeUsers(ctx: Ctx, values: Values, ids: number[]): Promise<void> {
  if (values.active === false) rejectOwnUser(ctx, ids, 'deactivate');
  await rejectPasswords(ctx, values, ids);
  if (values.login !== undefined)
    await rejectTakenLogins(
      ctx,
      ids.map(() => ({ login: values.login })),
      ids,
    );
  checkLocale(ctx, 'res.users', values);
  await replaceRoleGroups(ctx, values);
  await checkContacts(ctx, [values]);
  const partnerFields = PARTNER_FIELDS.filter((name) => values[name] !== undefined);
  await writeLinkedPartners(
    ctx.system(),
    'res_users',
    ids,
    Object.fromEntries(partnerFields.map((name) => [name, values[name]])),
  );
  await writeLinkedPartners(ctx, 'res_users', ids, pickInheritedValues(ctx, values));
  const isNewPassword = await hashPasswordValues(ctx, values, ids);
  if (isNewPassword) await clearUserFailures(ctx.db, ctx.workspace.id, ids);
  if (isNewPassword || values.active === false) await endSessions(ctx, ids);
}

/** Ends sessions permanently: restoring an archived user does not restore them. */
export async function endSessions(ctx: Ctx, ids: number[]): Promise<void> {
  await ctx.db.rows(
    sql`delete from svc_session where workspace_id = ${ctx.workspace.id} and user_id = any(${ids})`,
  );
  ctx.afterCommit(() => ctx.runtime.identity.invalidate(ctx.workspace.id));
}

/** @throws USER_ERROR if the caller is one of the users */
export function rejectOwnUser(ctx: Ctx, ids: number[], action: 'deactivate' | 'delete'): void {
  if (ctx.principal?.userId && ids.includes(ctx.principal.userId))
    throw errors.user(`You cannot ${action} the user you're currently logged in as.`);
}
