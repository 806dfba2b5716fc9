import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Caller, NewSession } from '../../../src/engine/ctx/runtime.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';
import { limits } from '../../../src/limits.ts';

const MAX_USER_AGENT_CHARS = 300;

/** Stores only the hash of the session's token. */
export async function openSession(
  db: Db,
  { workspace, principal }: Caller,
  { hash, address, userAgent }: NewSession,
): Promise<void> {
  const agent = userAgent?.slice(0, MAX_USER_AGENT_CHARS).replace(/[^\x20-\x7e]/g, '?') ?? null;
  await db.rows(
    sql`insert into svc_session (workspace_id, hash, user_id, key_id, user_agent, address, expires_at)
     values (${workspace.id}, ${hash}, ${principal.userId}, ${principal.keyId}, ${agent}, ${address},
       now() + make_interval(days => ${limits.identity.sessionDays}))`,
  );
}

/** Skips sessions that have ended in the meantime. */
export async function recordSessionUse(db: Db, callers: Caller[]): Promise<void> {
  for (const [workspaceId, batch] of Map.groupBy(callers, ({ workspace }) => workspace.id)) {
    const workspace = sql.param(workspaceId);
    await db.rows(
      sql`insert into svc_session_use as u (workspace_id, hash, used_at)
       select s.workspace_id, s.hash, now() from svc_session s
       where s.workspace_id = ${workspace} and s.hash = any(${batch.map(({ principal }) => principal.session)}::text[])
       order by s.hash
       on conflict (workspace_id, hash) do update set used_at = excluded.used_at`,
    );
  }
}

export async function closeSession(db: Db, { workspace }: Caller, hash: string): Promise<void> {
  await db.rows(sql`delete from svc_session where workspace_id = ${workspace.id} and hash = ${hash}`);
}

/** Records a sign-in unless the user signed in within the last `seconds`. */
export async function recordSignIn(db: Db, caller: Caller, seconds: number): Promise<void> {
  const { userId } = caller.principal;
  const [id] = await db.idAllocator.allocate(caller.workspace.id, 'res_users_log', 1);
  await db.rows(
    sql`insert into res_users_log (workspace_id, id, create_uid, write_uid)
     select ${caller.workspace.id}, ${id}, ${userId}::int, ${userId}::int
     where not exists (
       select 1 from res_users_log l where l.workspace_id = ${caller.workspace.id} and l.create_uid = ${userId}
         and l.create_date > now() at time zone 'UTC' - make_interval(secs => ${seconds}))`,
  );
}

definePurgeJob(
  'session-purge',
  '41 * * * *',
  {
    table: 'svc_session',
    time: 'expires_at',
    before: sql`now()`,
    key: { hash: 'text' },
  },
  {
    table: 'svc_sign_in_failure',
    time: 'last_at',
    before: sql`now() at time zone 'UTC' - make_interval(secs => ${limits.identity.failureTime / 1000})`,
    key: { what: 'text' },
  },
);
