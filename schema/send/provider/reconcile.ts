import type { Db } from '../../../src/db/db.ts';
import type { Database } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { purge } from '../../../src/engine/work/purge.ts';
import { limits } from '../../../src/limits.ts';
import { type EmailEvent, recordEvents } from '../state/email-events.ts';
import { emailsOf, eventOf } from './notices.ts';
import { readSesEvent } from './ses-event.ts';

defineJob({ name: 'provider-reconcile', cron: '* * * * *', run: ({ db }) => reconcile(db) });

defineJob({
  name: 'provider-purge',
  cron: '17 3 * * *',
  run: async ({ db }) => {
    await purge(db, {
      table: 'svc_provider_event',
      time: 'create_date',
      before: sql`now() - make_interval(days => ${sql.literal(limits.provider.eventDays)})`,
      key: { id: 'bigint' },
    });
  },
});

interface Waiting {
  id: number;
  body: object;
}

const DAYS = sql.literal(limits.provider.waitDays);
const BATCH = sql.literal(limits.provider.eventBatch);

const waitingBehind = (last: number): Sql => sql`
  select id, body from svc_provider_event
  where applied_at is null and create_date > now() - make_interval(days => ${DAYS}) and id > ${last}
    and (workspace_id is null or workspace_id > 0)
  order by id limit ${BATCH} for update skip locked`;

/**
 * Applies notices that waited: the email of some was not known when they came, the sending of others was still running.
 */
export async function reconcile(db: Database): Promise<void> {
  let last = 0;
  for (let count: number = limits.provider.eventBatch; count === limits.provider.eventBatch; ) {
    const ids = await db.transaction((tx) => reconcileSome(tx, last));
    count = ids.length;
    last = ids.at(-1) ?? last;
  }
}

/** @returns ids of the notices that were looked at */
async function reconcileSome(tx: Db, after: number): Promise<number[]> {
  const waiting = await tx.rows<Waiting>(waitingBehind(after));
  const read = waiting.flatMap(({ id, body }) => {
    const notice = readSesEvent(JSON.stringify(body));
    return notice ? [{ id, notice }] : [];
  });
  const emails = await emailsOf(
    tx,
    read.map(({ notice }) => notice),
  );
  const known = read.flatMap(({ id, notice }, place) => {
    const email = emails.get(place);
    return email ? [{ id, event: eventOf(notice, email) }] : [];
  });
  const later = await recordEvents(
    tx,
    known.map(({ event }) => event),
  );
  await applied(
    tx,
    known.filter(({ event }) => !later.includes(event)),
  );
  return waiting.map(({ id }) => id);
}

async function applied(db: Db, done: { id: number; event: EmailEvent }[]): Promise<void> {
  if (done.length === 0) return;
  await db.rows(
    sql`update svc_provider_event p set applied_at = now(), workspace_id = d.workspace_id, email_id = d.email_id
     from unnest(${done.map(({ id }) => id)}::bigint[], ${done.map(({ event }) => event.workspaceId)}::int[],
       ${done.map(({ event }) => event.emailId)}::int8[]) d(id, workspace_id, email_id) where p.id = d.id`,
  );
}
