import { sql } from '../../src/db/sql.ts';
import type { App } from '../harness/app.ts';

/** Returns the workspace's incorrect mailbox counters, with the stored and the correct values. */
export async function findMiscounts(app: App, workspaceId = app.main.ctx.workspace.id): Promise<object[]> {
  const { db } = app.runtime;
  const folders = await db.rows(
    sql`select 'folder' as of, f.id, f.total, f.unread, e.total as is_total, e.unread as is_unread
     from svc_mail_folder f
     cross join lateral (select count(*)::int as total, (count(*) filter (where not e.is_read))::int as unread
       from svc_mail_entry e where e.workspace_id = ${workspaceId} and e.folder_id = f.id) e
     where f.workspace_id = ${workspaceId} and (f.total <> e.total or f.unread <> e.unread)`,
  );
  const days = await db.rows(
    sql`select 'day' as of, coalesce(b.folder_id, e.folder_id) as id, coalesce(b.day, e.day) as day, b.n, e.n as is_n
     from (select * from svc_mail_bucket where workspace_id = ${workspaceId} and n <> 0) b
     full join (select account_id, folder_id, (date::date - date '1970-01-01') as day, count(*)::int as n
       from svc_mail_entry where workspace_id = ${workspaceId} group by 1, 2, 3) e
       on e.account_id = b.account_id and e.folder_id = b.folder_id and e.day = b.day
     where b.n is distinct from e.n`,
  );
  const labels = await db.rows(
    sql`select 'label' as of, l.id, l.total, e.total as is_total from svc_mail_label l
     cross join lateral (select count(*)::int as total from svc_mail_entry_label e
       where e.workspace_id = ${workspaceId} and e.label_id = l.id) e
     where l.workspace_id = ${workspaceId} and l.total <> e.total`,
  );
  const labelDays = await db.rows(
    sql`select 'day of label' as of, coalesce(b.label_id, e.label_id) as id, coalesce(b.day, e.day) as day, b.n, e.n as is_n
     from (select * from svc_mail_label_bucket where workspace_id = ${workspaceId} and n <> 0) b
     full join (select l.label_id, m.folder_id, (m.date::date - date '1970-01-01') as day, count(*)::int as n
       from svc_mail_entry_label l
       join svc_mail_entry m on m.workspace_id = ${workspaceId} and m.id = l.entry_id
       where l.workspace_id = ${workspaceId} group by 1, 2, 3) e
       on e.label_id = b.label_id and e.folder_id = b.folder_id and e.day = b.day
     where b.n is distinct from e.n`,
  );
  const labeledRows = await db.rows(
    sql`select 'folder of label' as of, l.label_id, l.entry_id from svc_mail_entry_label l
     join svc_mail_entry e on e.workspace_id = ${workspaceId} and e.id = l.entry_id
     where l.workspace_id = ${workspaceId} and (l.folder_id <> e.folder_id or l.date <> e.date)`,
  );
  const clocks = await db.rows(
    sql`select 'clock' as of, c.account_id as id, c.used_bytes, e.bytes, c.modseq, h.n
     from svc_mail_clock c
     cross join lateral (select coalesce(sum(m.size), 0)::int8 as bytes from svc_mail_entry e
       join svc_mail_message m on m.workspace_id = ${workspaceId} and m.id = e.content_id
       where e.workspace_id = ${workspaceId} and e.account_id = c.account_id) e
     cross join lateral (select count(*)::int8 as n from svc_mail_change h
       where h.workspace_id = ${workspaceId} and h.account_id = c.account_id) h
     where c.workspace_id = ${workspaceId} and (c.used_bytes <> e.bytes or c.modseq <> h.n)`,
  );
  const words = await db.rows(
    sql`select 'words' as of, coalesce(e.id, s.entry_id) as id
     from (select id from svc_mail_entry where workspace_id = ${workspaceId}) e
     full join (select entry_id from svc_mail_search where workspace_id = ${workspaceId}) s on s.entry_id = e.id
     where e.id is null or s.entry_id is null`,
  );
  return [...folders, ...days, ...labels, ...labelDays, ...labeledRows, ...clocks, ...words];
}
