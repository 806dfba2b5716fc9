import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

/** A page starts after the first `skip` messages before this time. */
interface PageStart {
  /** Null for the newest message. */
  before: string | null;
  skip: number;
}

/** Up to this offset, skipping rows is cheaper than querying the daily counts. */
const MAX_COUNTED_OFFSET = 200;

/** Finds the start of a page from the daily message counts, without reading the messages before it. */
export async function findPageStart(
  ctx: Ctx,
  accountIds: readonly number[],
  folderIds: readonly number[],
  offset: number,
): Promise<PageStart> {
  if (offset <= MAX_COUNTED_OFFSET) return { before: null, skip: offset };
  const [row] = await ctx.db.rows<{ before: string; skip: number }>(
    sql`select (timestamp '1970-01-01' + make_interval(days => day + 1))::text as before,
       (${offset}::int - (upto - n))::int as skip
     from (
       select b.day, sum(b.n) as n, sum(sum(b.n)) over (order by b.day desc) as upto from svc_mail_bucket b
       where b.workspace_id = ${ctx.workspace.id} and b.account_id = any(${accountIds}::int[])
         and b.folder_id = any(${folderIds}::int[])
       group by b.day
     ) days
     where upto > ${offset} order by day desc limit 1`,
  );
  return row ?? { before: '-infinity', skip: 0 };
}
