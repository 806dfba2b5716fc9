import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import type { Principal } from '../../../src/engine/model/principal.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord, returnRecords } from '../../../src/engine/operation/record-result.ts';
import { parseValues } from '../../../src/engine/write/values.ts';
import { getExpectedVersions } from '../../../src/engine/write/versions.ts';
import { write } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { verifyOwnPassword } from '../verify-password.ts';
import { UserContext } from './session-types.ts';
import { endSessions } from './user-change.ts';
import { checkNewPassword, hasAdministrator, hashNewPassword } from './user-password.ts';

export const contextGet = defineOperation('contextGet', {
  kind: 'query',
  effects: ['reads'],
  address: 'res.users/context_get',
  policy: { auth: ['USER'], scope: 'read' },
  description: 'Returns the language, time zone and id of the calling user.',
  args: () => ({}),
  type: UserContext,
  returns: facadeResult.json,
  run: (ctx) => {
    const { lang, tz, userId } = ctx.principal as Principal;
    return { lang, tz, uid: userId };
  },
});

export const userChangePassword = defineOperation('userChangePassword', {
  kind: 'mutation',
  effects: ['writes', 'grants'],
  closedToAgents: true,
  address: 'res.users/change_password',
  policy: { auth: ['USER'], scope: 'write', audit: 'user.password' },
  description: "Changes the calling user's password and ends the user's sessions.",
  args: (arg) => ({
    oldPasswd: arg.string({ required: true, description: 'Current password.' }),
    newPasswd: arg.string({ required: true, description: 'New password.' }),
  }),
  ...returnRecord('res.users', facadeResult.true, (_done: true, ctx) => ctx.principal!.userId),
  run: (ctx, args) => changePassword(ctx, args.oldPasswd, args.newPasswd),
});

/** @throws ACCESS_DENIED if the old password is wrong, USER_ERROR if the new one is too weak */
async function changePassword(ctx: Ctx, oldPassword: string, newPassword: string): Promise<true> {
  if (!(await verifyOwnPassword(ctx, oldPassword))) throw errors.accessDenied();
  const id = ctx.principal!.userId!;
  const hash = await hashNewPassword(
    ctx,
    await checkNewPassword(ctx, newPassword, await hasAdministrator(ctx, [id])),
  );
  await ctx.db.rows(
    sql`update res_users set password = ${hash} where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  await endSessions(ctx, [id]);
  return true;
}

/** Fields that users may write on their own record without write access to users (Odoo 19). */
const SELF_WRITABLE_FIELDS = new Set(
  'name email phone image_1920 lang tz signature notification_type company_id action_id'.split(' '),
);

export const userWrite = defineOperation('userWrite', {
  kind: 'mutation',
  effects: ['writes', 'grants'],
  tool: 'update',
  address: 'res.users/write',
  policy: { auth: ['USER'], scope: 'write' },
  description: 'Updates users. Users may change some of their own fields.',
  args: (arg) => ({ ids: arg.recordIds({ required: true }), vals: arg({ type: 'JSON', required: true }) }),
  ...returnRecords('res.users', facadeResult.true),
  run: async (ctx, { ids, vals }) => {
    const isOwn = isOwnChange(ctx, ids, parseValues(vals));
    const versions = getExpectedVersions(ctx, ids);
    return write(isOwn ? ctx.system() : ctx, 'res.users', ids, vals as Values, { versions });
  },
});

function isOwnChange({ principal }: Ctx, ids: number[], values: Values): boolean {
  const company = values.company_id;
  return (
    ids.length > 0 &&
    ids.every((id) => id === principal!.userId) &&
    Object.keys(values).every((name) => SELF_WRITABLE_FIELDS.has(name)) &&
    (company === undefined || principal!.companyIds.some((id) => id === company))
  );
}
