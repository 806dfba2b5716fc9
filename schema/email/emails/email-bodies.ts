import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { editEmails } from '../state/move-emails.ts';
import { HAS_ENDED } from '../state/state-sql.ts';

const MAX_BODIES_PER_STATEMENT = 2_000;

defineJob({
  name: 'email-bodies',
  cron: '11 3 * * *',
  run: async ({ db, config, log }) => {
    if (config.emailBodyDays === null) return;
    const emails = await purgeBodies(db, config.emailBodyDays);
    if (emails > 0) log.info({ emails }, 'purged bodies of old emails');
  },
});

interface OldBody {
  workspace_id: number;
  id: number;
  at: string;
}

/**
 * Purges HTML, text, headers, attachments and variables of finished emails accepted more than `days` ago, and their
 * messages in the outbox. Starts with the oldest, using an index of emails that have a body.
 * @returns the number of purged emails
 */
export async function purgeBodies(db: Database, days: number): Promise<number> {
  let purgedCount = 0;
  for (let after = '-infinity'; ; ) {
    // Continues after the last purged email, so that no row is scanned twice.
    const oldBodies = await db.rows<OldBody>(
      sql`select m.workspace_id, m.id, m.create_date::text as at from svc_email m
       where m.create_date >= ${after}::timestamp and m.create_date < now() - make_interval(days => ${days})
         and ${HAS_ENDED}
         and (m.html is not null or m.text is not null or m.headers is not null or m.attachments is not null)
       order by m.create_date limit ${sql.literal(MAX_BODIES_PER_STATEMENT)}`,
    );
    for (const [workspace, workspaceBodies] of Map.groupBy(oldBodies, (email) => email.workspace_id)) {
      const ids = workspaceBodies.map(({ id }) => id);
      const count = await db.value<number>(
        sql`with bare as (${editEmails({
          set: sql`html = null, text = null, headers = null, attachments = null, variables = null`,
          condition: sql`m.workspace_id = ${workspace} and m.id = any(${ids}::bigint[]) and ${HAS_ENDED}`,
          returning: sql`m.id`,
        })}), kept as (
          delete from svc_outbox o using bare where o.workspace_id = ${workspace} and o.email_id = bare.id
        )
        select count(*)::int from bare`,
      );
      purgedCount += count;
    }
    if (oldBodies.length < MAX_BODIES_PER_STATEMENT) return purgedCount;
    after = oldBodies.at(-1)!.at;
  }
}
