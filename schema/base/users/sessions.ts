import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { sql } from '../../../src/db/sql.ts';
import { runAudited } from '../../../src/engine/ctx/audit.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { verifyOwnPassword } from '../verify-password.ts';
import { parseUserAgent } from './device.ts';

const MAX_LISTED_SESSIONS = 100;

const UserSession = defineTypedShape('UserSession', 'A browser in which a user is signed in.', {
  id: { type: 'ID', description: 'Id of the session. It cannot be used to sign in.' },
  userId: { type: 'ID', description: 'User who is signed in.' },
  signedInAt: { type: 'DateTime', description: 'When the user signed in.' },
  expiresAt: { type: 'DateTime', description: 'When the session ends.' },
  lastUsedAt: {
    type: 'DateTime',
    nullable: true,
    description:
      'When the session was last used, accurate to the minute. Null if it has not been used since the sign-in.',
  },
  device: {
    type: 'String',
    nullable: true,
    description:
      'Browser and operating system, as reported by the browser, such as `Firefox on Linux`. Null if unknown.',
  },
  userAgent: { type: 'String', nullable: true, description: 'Full user agent string of the browser.' },
  address: { type: 'String', nullable: true, description: 'IP address of the sign-in.' },
  isCurrent: { type: 'Boolean', description: 'True if this request uses the session.' },
  byKey: {
    type: 'Boolean',
    description: 'True if the session was opened with an API key and ends with that key.',
  },
});

/** Session id: the start of the token's hash, which is long enough to be unique. */
const ID = sql`left(s.hash, 16)`;

export const userSessions = defineOperation('userSessions', {
  kind: 'query',
  effects: ['reads'],
  policy: { auth: ['USER'], scope: 'read' },
  description: `Lists up to ${MAX_LISTED_SESSIONS} sessions of a user, newest first.`,
  args: (arg) => ({
    userId: arg.recordId({
      description:
        'User whose sessions are listed. Defaults to the caller. Only administrators can specify another user.',
    }),
  }),
  type: [UserSession.ref] as object,
  run: (ctx, { userId }) => loadSessions(ctx, userId ?? ctx.principal!.userId!),
});

/** @throws FORBIDDEN for another user, unless the caller is an administrator */
async function loadSessions(ctx: Ctx, userId: number): Promise<object[]> {
  if (userId !== ctx.principal!.userId && !isAdmin(ctx))
    throw errors.notAllowed('Only an administrator can list the sessions of other users.');
  const rows = await ctx.db.rows<{ userAgent: string | null }>(
    sql`select ${ID} as id, s.user_id as "userId", ${toIsoSql(sql`s.created_at`)} as "signedInAt",
       ${toIsoSql(sql`s.expires_at`)} as "expiresAt",
       ${toIsoSql(sql`u.used_at`)} as "lastUsedAt", s.user_agent as "userAgent", s.address,
       s.hash is not distinct from ${ctx.principal!.session}::text as "isCurrent", s.key_id is not null as "byKey"
     from svc_session s left join svc_session_use u on u.workspace_id = ${ctx.workspace.id} and u.hash = s.hash
     where s.workspace_id = ${ctx.workspace.id} and s.user_id = ${userId} and s.expires_at > now()
     order by s.created_at desc, s.hash limit ${sql.literal(MAX_LISTED_SESSIONS)}`,
  );
  return rows.map((row) => ({ ...row, device: parseUserAgent(row.userAgent) }));
}

export const userSessionRevoke = defineOperation('userSessionRevoke', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  policy: { auth: ['USER'], scope: 'write', audit: 'session.revoke' },
  description:
    "Ends one of your sessions. Administrators can end any user's session. Takes effect immediately.",
  args: (arg) => ({ id: arg.string({ required: true, description: 'Id of the session.' }) }),
  type: 'Boolean',
  run: (ctx, { id }) => endSession(ctx, id),
});

async function endSession(ctx: Ctx, id: string): Promise<true> {
  const owner = isAdmin(ctx) ? null : ctx.principal!.userId;
  const endedRows = await ctx.db.rows(
    sql`delete from svc_session s where s.workspace_id = ${ctx.workspace.id} and ${ID} = ${id}
       and (${owner}::int is null or s.user_id = ${owner}) returning s.hash`,
  );
  if (endedRows.length === 0) throw errors.notFound('Session');
  ctx.afterCommit(() => ctx.runtime.identity.invalidate(ctx.workspace.id));
  return true;
}

export const userSessionsRevoke = defineOperation('userSessionsRevoke', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  policy: { auth: ['USER'], scope: 'write' },
  description:
    'Ends all your sessions except the current one and returns how many were ended. Administrators can end ' +
    'all sessions of another user. Requires your password.',
  args: (arg) => ({
    password: arg.string({ required: true, description: 'Your password.' }),
    userId: arg.recordId({
      description:
        'User whose sessions are ended. Defaults to the caller. Only administrators can specify another user.',
    }),
  }),
  type: 'Int',
  // Audited here instead of by the policy, so that the password is not logged.
  run: (ctx, { password, userId }) =>
    runAudited(ctx, 'session.revoke.all', { userId: userId ?? ctx.principal!.userId }, async (tx) => {
      const ownerId = userId ?? tx.principal!.userId!;
      if (ownerId !== tx.principal!.userId && !isAdmin(tx))
        throw errors.notAllowed('Only an administrator can end the sessions of other users.');
      if (!(await verifyOwnPassword(tx, password))) throw errors.user('Incorrect password, try again.');
      const endedRows = await tx.db.rows(
        sql`delete from svc_session s where s.workspace_id = ${tx.workspace.id} and s.user_id = ${ownerId}
           and s.hash is distinct from ${tx.principal!.session}::text returning s.hash`,
      );
      tx.afterCommit(() => tx.runtime.identity.invalidate(tx.workspace.id));
      return endedRows.length;
    }),
});

const isAdmin = ({ principal }: Ctx): boolean => principal!.groups.has(ADMIN_GROUP);
