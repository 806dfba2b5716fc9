import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { ListPage, PageRange } from '../kit/list-page.ts';
import { loadEntryRows } from './entry-row.ts';

export async function loadLabelPage(
  ctx: Ctx,
  labelId: number,
  folderIds: readonly number[],
  { offset, limit }: PageRange,
): Promise<ListPage> {
  // Counts the messages, and finds where the page starts: before the end of a day, after the first `skip` messages.
  const [start] = await ctx.db.rows<{ count: number; before: string | null; skip: number | null }>(
    sql`with days as (
       select b.day, sum(b.n) as n, sum(sum(b.n)) over (order by b.day desc) as upto from svc_mail_label_bucket b
       where b.workspace_id = ${ctx.workspace.id} and b.label_id = ${labelId}
         and b.folder_id = any(${folderIds}::int[])
       group by b.day
     )
     select coalesce(t.count, 0)::int as count,
       (timestamp '1970-01-01' + make_interval(days => d.day + 1))::text as before,
       (${offset}::int - (d.upto - d.n))::int as skip
     from (select max(upto) as count from days) t
     left join lateral (select day, n, upto from days where upto > ${offset} order by day desc limit 1) d on true`,
  );
  const { count, before, skip } = start!;
  if (before === null || skip === null) return { json: '[]', n: 0, count };
  const workspace = sql.param(ctx.workspace.id);
  // Reads each folder's newest messages from the index; the outer query merges them.
  const page = sql`select e.id, e.date from unnest(${folderIds}::int[]) f(id)
    cross join lateral (select l.entry_id as id, l.date from svc_mail_entry_label l
      where l.workspace_id = ${workspace} and l.label_id = ${labelId} and l.folder_id = f.id
        and l.date < ${before}::timestamp
      order by l.date desc, l.entry_id desc limit ${skip + limit}) e
    order by e.date desc, e.id desc offset ${skip} limit ${sql.literal(limit)}`;
  return { ...(await loadEntryRows(ctx, workspace, page)), count };
}
