import type { Db } from '../../../src/db/db.ts';
import type { Database } from '../../../src/db/pool.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { inBatches } from '../../../src/engine/work/batch.ts';
import { limits } from '../../../src/limits.ts';
import { recordMove } from './move-emails.ts';
import { batchOf, QUEUED, sameEmail } from './state-sql.ts';

const EXPIRED = sql`${QUEUED} and m.run_at < 'infinity'
  and coalesce(m.scheduled_at, m.create_date)
    < now() - make_interval(hours => ${sql.literal(limits.delivery.queueHours)})`;

/** Gives up on emails that have waited too long, with the reason they waited for. */
export async function expire(db: Database): Promise<void> {
  await giveUp(db, EXPIRED, `Not sent within ${limits.delivery.queueHours} hours. `);
}

/**
 * Fails emails for good; one that reached some of its recipients stays sent.
 * @param which condition on `m`, an email
 * @param why goes before the reason they have
 * @returns how many
 */
export const giveUp = (db: Db, which: Sql, why: string): Promise<number> =>
  inBatches(db, givenUp(which, why));

const givenUp = (which: Sql, why: string): Sql =>
  recordMove('giveUp', {
    to: sql`case when m.sent_at is null then 'failed' else 'sent' end`,
    set: sql`reason = ${why} || coalesce(m.reason, ''), lease_by = null,
      latest_status = case when m.sent_at is null then 'FAILED' else m.latest_status end`,
    source: batchOf(which),
    which: sameEmail('batch'),
    event: { status: 'FAILED', data: sql`jsonb_build_object('error', m.reason)` },
  });
