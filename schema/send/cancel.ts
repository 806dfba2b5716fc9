import type { Db } from '../../src/db/pool.ts';
import { notedOf } from './noted.ts';

/**
 * Cancels emails.
 * @param which condition on the columns of svc_email; its parameters are `params`, from $2 on
 * @param why null when somebody wanted it
 * @returns how many
 */
export async function cancel(
  db: Db,
  which: string,
  why: string | null,
  params: readonly unknown[],
): Promise<number> {
  const [row] = await db.rows<{ n: number }>(
    `with ended as (
       update svc_email set state = 'cancelled', latest_status = 'CANCELLED', reason = coalesce($1::text, reason), write_date = now()
       where workspace_id > 0 and ${which}
       returning workspace_id, id as email_id, domain_id, 'CANCELLED' as status, case when $1::text is not null then jsonb_build_object('error', $1::text) end as data
     ), ${notedOf('ended')} select count(*)::int as n from ended`,
    [why, ...params],
  );
  return row!.n;
}
