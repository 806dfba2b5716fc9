import type { Caller } from '../../src/engine/identity.ts';
import { defineJob } from '../../src/engine/jobs.ts';
import { keyedHash, newToken } from '../../src/engine/keys.ts';
import type { Runtime } from '../../src/engine/runtime.ts';
import { limits } from '../../src/limits.ts';

/** Opens a session of a user who has just proved who they are. @returns the token of the cookie; only its hash is kept */
export async function openSession(runtime: Runtime, caller: Caller): Promise<string> {
  const token = newToken();
  await runtime.db.rows(
    `insert into svc_session (workspace_id, hash, user_id, expires_at) values ($1, $2, $3, now() + make_interval(days => $4))`,
    [
      caller.workspace.id,
      keyedHash(runtime.config.secretKey, token),
      caller.principal.userId,
      limits.sessionDays,
    ],
  );
  return token;
}

/** Ends a session, at once on every process. */
export async function closeSession(runtime: Runtime, workspaceId: number, token: string): Promise<void> {
  await runtime.db.rows(`delete from svc_session where workspace_id = $1 and hash = $2`, [
    workspaceId,
    keyedHash(runtime.config.secretKey, token),
  ]);
  runtime.identity.forget();
}

defineJob({
  name: 'session-purge',
  cron: '41 * * * *',
  run: async ({ db }) => {
    await db.rows(`delete from svc_session where workspace_id > 0 and expires_at < now()`);
  },
});
