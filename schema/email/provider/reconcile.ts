import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { defineJob } from '../../../src/engine/work/jobs.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';
import { limits } from '../../../src/limits.ts';
import { applyNotice, EVENT_BATCH_SIZE } from './apply-notices.ts';
import { parseSesEvent } from './ses-event.ts';

/** Maximum time that an event waits for its email. */
const MAX_WAIT_DAYS = 3;
/** A waiting event is retried every minute for this long, and then every hour. */
const FREQUENT_RETRY_MINUTES = 30;

defineJob({
  name: 'provider-reconcile',
  cron: '* * * * *',
  run: (runtime) => reconcile(runtime, FREQUENT_RETRY_MINUTES),
});

// Notifications about another installation's mail stay pending forever, so old ones are not checked every minute.
defineJob({ name: 'provider-reconcile-old', cron: '23 * * * *', run: (runtime) => reconcile(runtime) });

definePurgeJob('provider-purge', '17 3 * * *', {
  table: 'svc_provider_event',
  time: 'create_date',
  before: sql`now() - make_interval(days => ${sql.literal(limits.provider.eventDays)})`,
  key: { id: 'bigint' },
});

interface WaitingNotice {
  id: number;
  body: object;
}

const MAX_WAIT_MINUTES = MAX_WAIT_DAYS * 24 * 60;
const NOTICE_BATCH_SIZE = sql.literal(EVENT_BATCH_SIZE);

const selectWaitingNotices = (last: number, minutes: number): Sql => sql`
  select id, body from svc_provider_event
  where applied_at is null and create_date > now() - make_interval(mins => ${minutes}) and id > ${last}
    and (workspace_id is null or workspace_id > 0)
  order by id limit ${NOTICE_BATCH_SIZE}`;

/**
 * Applies notifications that are pending because their process died, or because their email was unknown or still being
 * sent.
 * @param minutes maximum age
 */
export async function reconcile(
  runtime: Pick<Runtime, 'db' | 'config' | 'log'>,
  minutes = MAX_WAIT_MINUTES,
): Promise<void> {
  const { db, log } = runtime;
  let last = 0;
  for (let count: number = EVENT_BATCH_SIZE; count === EVENT_BATCH_SIZE; ) {
    const notices = await db.rows<WaitingNotice>(selectWaitingNotices(last, minutes));
    const applied = await Promise.allSettled(notices.map((item) => reapplyNotice(runtime, item)));
    for (const item of applied)
      if (item.status === 'rejected')
        log.warn({ err: item.reason }, 'could not apply a notification from the provider');
    count = notices.length;
    last = notices.at(-1)?.id ?? last;
  }
}

async function reapplyNotice(
  runtime: Pick<Runtime, 'db' | 'config'>,
  { id, body }: WaitingNotice,
): Promise<void> {
  const notice = parseSesEvent(JSON.stringify(body));
  if (notice) await applyNotice(runtime, { ...notice, id });
}
