import { randomBytes } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';

// Baseline for emails in the REST API: Hono and pg only. No keys, no checks, one workspace.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const app = new Hono();

const COLUMNS = ['public_id', '"from"', '"to"', 'subject', 'html', 'text'];

interface Body {
  from: string;
  to: string;
  subject: string;
  html?: string;
  text?: string;
}

const createId = () => randomBytes(12).toString('hex');

async function insertEmails(key: string | undefined, bodies: Body[]): Promise<string[]> {
  const ids = bodies.map(createId);
  let position = 0;
  const tuples = bodies.map(() => `(1, 1, ${COLUMNS.map(() => `$${++position}`).join(', ')})`);
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({
      name: 'idem',
      text: 'insert into svc_idempotency (workspace_id, key, body_hash, response) values (1, $1, $2, $3)',
      values: [key, 'x'.repeat(44), JSON.stringify(ids)],
    });
    await client.query({
      name: `email ${bodies.length}`,
      text: `insert into svc_email (workspace_id, domain_id, ${COLUMNS.join(', ')}) values ${tuples.join(', ')}`,
      values: bodies.flatMap((body, n) => [
        ids[n],
        body.from,
        [body.to],
        body.subject,
        body.html ?? null,
        body.text ?? null,
      ]),
    });
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
  return ids;
}

app.get('/', (c) => c.text('ok'));

app.post('/emails', async (c) => {
  const [id] = await insertEmails(c.req.header('idempotency-key'), [await c.req.json()]);
  return c.json({ emailId: id, data: { emailId: id } });
});

app.post('/emails/batch', async (c) => {
  const ids = await insertEmails(c.req.header('idempotency-key'), await c.req.json());
  return c.json({ data: ids.map((emailId) => ({ emailId })) });
});

app.get('/emails/events', async (c) => {
  const { rows } = await pool.query({
    name: 'events',
    text: `select json_build_object('data', coalesce(json_agg(e), '[]'))::text as json from (
             select public_id as id, "from", "to", subject, latest_status as "latestStatus", ${buildIso('m.create_date')} as "createdAt",
               ${buildIso('m.sent_at')} as "sentAt",
               (select coalesce(json_agg(v), '[]') from (
                 select v.status, ${buildIso('v.create_date')} as "createdAt", v.data from svc_email_event v
                 where v.workspace_id = m.workspace_id and v.email_id = m.id order by v.id limit 80) v) as events
             from svc_email m where m.workspace_id = 1 order by m.id desc limit 50) e`,
  });
  return c.body(rows[0].json, 200, { 'content-type': 'application/json' });
});

const buildIso = (column: string) => `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Returns a page without the total count, which would scan all emails. */
app.get('/emails', async (c) => {
  const { rows } = await pool.query({
    name: 'page',
    text: `select public_id, "to", reply_to, cc, bcc, "from", subject, html, text, create_date, write_date, latest_status, scheduled_at, domain_id
           from svc_email where workspace_id = 1 order by create_date desc, id desc limit 50`,
  });
  return c.json({
    data: rows.map((row) => ({
      id: row.public_id,
      to: row.to,
      replyTo: row.reply_to,
      cc: row.cc,
      bcc: row.bcc,
      from: row.from,
      subject: row.subject,
      html: row.html,
      text: row.text,
      createdAt: row.create_date,
      updatedAt: row.write_date,
      latestStatus: row.latest_status,
      scheduledAt: row.scheduled_at,
      domainId: row.domain_id,
    })),
  });
});

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) });
