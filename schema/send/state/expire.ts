import type { Database, Db } from '../../../src/db/pool.ts';
import { inPieces } from '../../../src/engine/work/batch.ts';
import { limits } from '../../../src/limits.ts';
import { notedOf } from './noted.ts';
import { pieceOf } from './pieces.ts';
import { QUEUED } from './waiting.ts';

/** Gives up on emails that have waited too long, with the reason they waited for. One that reached some of its recipients stays sent. */
export async function expire(db: Database): Promise<void> {
  await giveUp(
    db,
    `${QUEUED} and run_at < 'infinity' and coalesce(scheduled_at, create_date) < now() - make_interval(hours => ${limits.queueHours})`,
    `Not sent within ${limits.queueHours} hours. `,
  );
}

/**
 * Fails emails for good.
 * @param which condition on `m`, an email; its parameters are `params`, from $2 on
 * @param why goes before the reason they have
 * @returns how many
 */
export async function giveUp(
  db: Db,
  which: string,
  why: string,
  params: readonly unknown[] = [],
): Promise<number> {
  return inPieces(
    db,
    `with old as (
       update svc_email m set state = case when sent_at is null then 'failed' else 'sent' end, reason = $1 || coalesce(reason, ''),
         latest_status = case when sent_at is null then 'FAILED' else latest_status end, lease_by = null, write_date = now()
       from ${pieceOf(which)} piece where m.workspace_id = piece.workspace_id and m.id = piece.id
       returning m.workspace_id, m.id, m.domain_id, m.reason
     ), told as (
       select workspace_id, id as email_id, domain_id, 'FAILED' as status, jsonb_build_object('error', reason) as data from old
     ), ${notedOf('told')} select count(*)::int as n from old`,
    [why, ...params],
  );
}
