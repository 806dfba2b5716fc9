import type { Db } from '../../../src/db/pool.ts';
import { inPieces } from '../../../src/engine/work/batch.ts';
import { notedOf } from './noted.ts';
import { pieceOf } from './pieces.ts';

/**
 * Cancels emails.
 * @param which condition on `m`, an email; its parameters are `params`, from $2 on
 * @param why null when somebody wanted it
 * @returns how many
 */
export async function cancel(
  db: Db,
  which: string,
  why: string | null,
  params: readonly unknown[],
): Promise<number> {
  return inPieces(
    db,
    `with ended as (
       update svc_email m set state = 'cancelled', latest_status = 'CANCELLED', reason = coalesce($1::text, reason), write_date = now()
       from ${pieceOf(which)} piece where m.workspace_id = piece.workspace_id and m.id = piece.id
       returning m.workspace_id, m.id as email_id, m.domain_id, 'CANCELLED' as status, case when $1::text is not null then jsonb_build_object('error', $1::text) end as data
     ), ${notedOf('ended')} select count(*)::int as n from ended`,
    [why, ...params],
  );
}
