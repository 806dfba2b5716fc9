import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';

// Baseline for mailbox lists: Hono and pg only, on the same index. No keys, no members, no pages.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const app = new Hono();

app.get('/', (c) => c.text('ok'));

app.post('/list', async (c) => {
  const { folder } = await c.req.json();
  const { rows } = await pool.query({
    name: 'list',
    text: `select e.id as entry_id, e.account_id, e.folder_id, e.thread_id, c.subject, c.from_name,
        c.email_from as from_email, c.recipients->'to' as to, e.date, e.is_read, e.is_starred, e.is_answered, c.snippet,
        c.size, c.attachment_count,
        array(select l.label_id from svc_mail_entry_label l where l.workspace_id = 1 and l.entry_id = e.id) as label_ids
      from svc_mail_entry e join svc_mail_message c on c.workspace_id = 1 and c.id = e.content_id
      where e.workspace_id = 1 and e.folder_id = $1 order by e.date desc, e.id desc limit 50`,
    values: [folder],
  });
  const n = await pool.query({
    name: 'count',
    text: 'select total from svc_mail_folder where workspace_id = 1 and id = $1',
    values: [folder],
  });
  return c.json({ entries: rows, count: n.rows[0].total });
});

app.post('/flag', async (c) => {
  const { ids, isRead } = await c.req.json();
  await pool.query({
    name: 'flag',
    text: 'update svc_mail_entry set is_read = $2 where workspace_id = 1 and id = any($1::int8[])',
    values: [ids, isRead],
  });
  return c.json(true);
});

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) });
