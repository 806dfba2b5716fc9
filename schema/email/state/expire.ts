import type { Db } from '../../../src/db/db.ts';
import { NOW } from '../../../src/db/now.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { onSweep } from '../../../src/engine/work/sweep.ts';
import { buildRecordedMove, moveInBatches } from './move-emails.ts';
import { IS_QUEUED, isInBatch } from './state-sql.ts';

/** Hours after which an unsent email fails. */
const MAX_QUEUE_HOURS = 72;

const IS_EXPIRED = sql`${IS_QUEUED} and m.run_at < 'infinity'
  and coalesce(m.scheduled_at, m.create_date)
    < ${NOW} - make_interval(hours => ${sql.literal(MAX_QUEUE_HOURS)})`;

onSweep(expire);

export async function expire(db: Db, workspaceId: number): Promise<void> {
  await giveUpEmails(db, workspaceId, IS_EXPIRED, `Not sent within ${MAX_QUEUE_HOURS} hours. `);
}

/**
 * Fails emails permanently. An email that reached some of its recipients keeps the state `sent`.
 * @param condition condition on `m`
 * @param reason prefix of the existing reason
 * @returns the number of emails
 */
export const giveUpEmails = (db: Db, workspaceId: number, condition: Sql, reason: string): Promise<number> =>
  moveInBatches(db, workspaceId, buildGiveUpStatement(sql.param(workspaceId), condition, reason), {
    dataKey: 'error',
  });

const buildGiveUpStatement = (workspace: unknown, condition: Sql, reason: string): Sql =>
  buildRecordedMove('giveUp', {
    to: sql`case when m.sent_at is null then 'failed' else 'sent' end`,
    set: sql`reason = ${reason} || coalesce(m.reason, ''), lease_by = null,
      latest_status = case when m.sent_at is null then 'FAILED' else m.latest_status end`,
    condition: isInBatch(workspace, condition),
    event: { status: 'FAILED', data: sql`m.reason` },
  });
