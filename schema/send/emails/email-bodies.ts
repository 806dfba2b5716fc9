import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { limits } from '../../../src/limits.ts';
import { editEmails } from '../state/move-emails.ts';
import { HAS_ENDED } from '../state/state-sql.ts';

/** Runs every night if the operator has set how long bodies are kept (EMAIL_BODY_DAYS). */
defineJob({
  name: 'email-bodies',
  cron: '11 3 * * *',
  run: async ({ db, config, log }) => {
    if (config.emailBodyDays === null) return;
    const emails = await purgeBodies(db, config.emailBodyDays);
    if (emails > 0) log.info({ emails }, 'purged bodies of old emails');
  },
});

interface Place {
  at: string;
  id: number;
}

/**
 * Purges HTML, text, headers and attachments of emails that ended over `days` ago, but not of queued ones. Includes
 * messages in the outbox of the local transport. @returns number of purged emails
 */
export async function purgeBodies(db: Database, days: number): Promise<number> {
  const workspaces = await db.rows<{ id: number }>(sql`select id from workspace order by id`);
  let purged = 0;
  for (const { id } of workspaces) {
    for (let from: Place | null = { at: '-infinity', id: 0 }; from; ) {
      const [done]: (Place & { n: number; purged: number })[] = await db.rows(
        purge({ workspace: id, days, at: from.at, id: from.id }),
      );
      purged += done!.purged;
      from = done!.n < limits.email.bodyBatch ? null : done!;
    }
  }
  return purged;
}

/** A step along the list of a workspace, in the order of its index. */
const purge = sql.prepare<{ workspace: number; days: number; at: string; id: number }>(
  (p) => sql`
  with old as (
    select create_date, id,
      html is not null or text is not null or headers is not null or attachments is not null as has
    from svc_email where workspace_id = ${p.workspace} and (create_date, id) > (${p.at}::timestamp, ${p.id}::int8)
      and create_date < now() - make_interval(days => ${p.days})
    order by create_date, id limit ${sql.literal(limits.email.bodyBatch)}
  ), bare as (${editEmails({
    set: sql`html = null, text = null, headers = null, attachments = null, variables = null`,
    source: sql`old`,
    which: sql`m.workspace_id = ${p.workspace} and m.id = old.id and old.has and ${HAS_ENDED}`,
    returning: sql`m.id`,
  })}), kept as (
    delete from svc_outbox o using bare where o.workspace_id = ${p.workspace} and o.email_id = bare.id
  )
  select count(*)::int as n, (select count(*)::int from bare) as purged,
    (select create_date::text from old order by create_date desc, id desc limit 1) as at,
    (select id from old order by create_date desc, id desc limit 1) as id
  from old`,
);
