import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { typedShape } from '../../../src/engine/verb/shape.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { ADMIN_GROUP } from '../roles.ts';

const UserSession = typedShape('UserSession', 'A browser in which a user is signed in.', {
  id: { type: 'ID', description: 'What the session is known by here. It opens nothing.' },
  userId: { type: 'ID', description: 'User who is signed in.' },
  signedInAt: { type: 'DateTime', description: 'When the user signed in.' },
  expiresAt: { type: 'DateTime', description: 'When the session ends.' },
});

/** A part of the hash of its token that no other session has. */
const ID = sql`left(s.hash, 16)`;

export const userSessionsVerb = verb('userSessions', {
  kind: 'query',
  policy: { auth: ['USER'], scope: 'read' },
  description: `Where a user is signed in, the newest first; at most ${limits.identity.sessionsShown}.`,
  args: (arg) => ({
    userId: arg.recordId({ description: 'User; you by default. Others are for administrators.' }),
  }),
  type: [UserSession.ref] as object,
  run: (ctx, { userId }) => sessionsOf(ctx, userId ?? ctx.principal!.userId!),
});

/** @throws NOT_ALLOWED for another user, unless an administrator asks */
async function sessionsOf(ctx: Ctx, userId: number): Promise<object[]> {
  if (userId !== ctx.principal!.userId && !isAdmin(ctx))
    throw errors.notAllowed('Only an administrator can see where others are signed in.');
  return ctx.db.rows(
    sql`select ${ID} as id, s.user_id as "userId", s.created_at as "signedInAt", s.expires_at as "expiresAt"
     from svc_session s
     where s.workspace_id = ${ctx.workspace.id} and s.user_id = ${userId} and s.expires_at > now()
     order by s.created_at desc, s.hash limit ${sql.literal(limits.identity.sessionsShown)}`,
  );
}

export const userSessionRevokeVerb = verb('userSessionRevoke', {
  kind: 'mutation',
  policy: { auth: ['USER'], scope: 'write', audit: 'session.revoke' },
  description: 'Ends a session of yours, or as an administrator one of any user. Takes effect immediately.',
  args: (arg) => ({ id: arg.string({ required: true, description: 'Id of the session.' }) }),
  type: 'Boolean',
  run: (ctx, { id }) => endSession(ctx, id),
});

/** @throws NOT_FOUND */
async function endSession(ctx: Ctx, id: string): Promise<true> {
  const owner = isAdmin(ctx) ? null : ctx.principal!.userId;
  const ended = await ctx.db.rows(
    sql`delete from svc_session s where s.workspace_id = ${ctx.workspace.id} and ${ID} = ${id}
       and (${owner}::int is null or s.user_id = ${owner}) returning s.hash`,
  );
  if (ended.length === 0) throw errors.notFound('Session');
  ctx.afterCommit(() => ctx.runtime.identity.forget(ctx.workspace.id));
  return true;
}

const isAdmin = ({ principal }: Ctx): boolean => principal!.groups.has(ADMIN_GROUP);
