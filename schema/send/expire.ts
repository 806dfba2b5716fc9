import type { Database } from '../../src/db/pool.ts';
import { limits } from '../../src/limits.ts';

/**
 * Gives up on emails that have waited too long, with the reason they waited for, and on those of which nobody has
 * learned for too long whether they went out. One that reached some of its recipients stays sent.
 */
export async function expire(db: Database): Promise<void> {
  await giveUp(
    db,
    `state = 'queued' and coalesce(scheduled_at, create_date) < now() - make_interval(hours => ${limits.queueHours})`,
    `Not sent within ${limits.queueHours} hours. `,
  );
  await giveUp(
    db,
    `state = 'unknown' and write_date < now() - make_interval(hours => ${limits.unknownHours})`,
    `The provider has reported nothing about it within ${limits.unknownHours} hours. `,
  );
}

async function giveUp(db: Database, which: string, why: string): Promise<void> {
  await db.rows(
    `with old as (
       update svc_email set state = case when sent_at is null then 'failed' else 'sent' end, reason = $1 || coalesce(reason, ''),
         latest_status = case when sent_at is null then 'FAILED' else latest_status end, lease_by = null, write_date = now()
       where workspace_id > 0 and ${which}
       returning workspace_id, id, reason
     )
     insert into svc_email_event (workspace_id, email_id, status, data)
     select workspace_id, id, 'FAILED', jsonb_build_object('error', reason) from old`,
    [why],
  );
}
