import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Caller } from '../../../src/engine/ctx/runtime.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { purge } from '../../../src/engine/work/purge.ts';
import { limits } from '../../../src/limits.ts';

/** Keeps a session of the caller; of its token only the hash is known. */
export async function openSession(db: Db, { workspace, principal }: Caller, hash: string): Promise<void> {
  await db.rows(
    sql`insert into svc_session (workspace_id, hash, user_id, key_id, expires_at)
     values (${workspace.id}, ${hash}, ${principal.userId}, ${principal.keyId},
       now() + make_interval(days => ${limits.identity.sessionDays}))`,
  );
}

export async function closeSession(db: Db, { workspace }: Caller, hash: string): Promise<void> {
  await db.rows(sql`delete from svc_session where workspace_id = ${workspace.id} and hash = ${hash}`);
}

/** Keeps note of a sign-in, unless there was one within the last `seconds`. */
export async function noteSignIn(db: Db, caller: Caller, seconds: number): Promise<void> {
  const { userId } = caller.principal;
  const [id] = await db.numbers.take(caller.workspace.id, 'res_users_log', 1);
  await db.rows(
    sql`insert into res_users_log (workspace_id, id, create_uid, write_uid)
     select ${caller.workspace.id}, ${id}, ${userId}::int, ${userId}::int
     where not exists (
       select 1 from res_users_log l where l.workspace_id = ${caller.workspace.id} and l.create_uid = ${userId}
         and l.create_date > now() at time zone 'UTC' - make_interval(secs => ${seconds}))`,
  );
}

defineJob({
  name: 'session-purge',
  cron: '41 * * * *',
  run: async ({ db }) => {
    await purge(db, { table: 'svc_session', time: 'expires_at', before: sql`now()`, key: { hash: 'text' } });
  },
});
