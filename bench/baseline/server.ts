import { randomBytes } from 'node:crypto';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';

// Baseline for the facades: Hono and pg only. No keys, no checks, no rules, one workspace.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const app = new Hono();

app.get('/', (c) => c.text('ok'));

app.post('/emails', async (c) => {
  const body = await c.req.json();
  const id = randomBytes(12).toString('hex');
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query({
      name: 'idem',
      text: 'insert into svc_idempotency (workspace_id, key, body_hash, response) values (1, $1, $2, $3)',
      values: [c.req.header('idempotency-key'), 'x'.repeat(44), JSON.stringify([id])],
    });
    await client.query({
      name: 'email',
      text: `insert into svc_email (workspace_id, public_id, "from", "to", subject, html, text, domain_id) values (1, $1, $2, $3, $4, $5, $6, 1)`,
      values: [id, body.from, [body.to], body.subject, body.html ?? null, body.text ?? null],
    });
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
  return c.json({ emailId: id, data: { emailId: id } });
});

app.post('/search_read', async (c) => {
  const { name } = await c.req.json();
  return c.json(await searchRead(name));
});

// Like a tool call: counts up to 1,000 rows, and returns the records twice, as structured content and as text.
app.post('/mcp', async (c) => {
  const { id, params } = await c.req.json();
  const absent = params.arguments.domain.at(-1)[2];
  const records = await searchRead(absent);
  const { rows } = await pool.query({
    name: 'search_count',
    text: `select count(*)::int as total from (select 1 from res_partner t where t.workspace_id = 1
           and t.is_company = $1 and t.name is distinct from $2 and t.active limit 1000) c`,
    values: [false, absent],
  });
  const structuredContent = { records, _count: records.length, ...rows[0] };
  const content = [{ type: 'text', text: JSON.stringify(structuredContent) }];
  return c.json({ jsonrpc: '2.0', id, result: { content, structuredContent, isError: false } });
});

async function searchRead(absent: string): Promise<object[]> {
  const { rows } = await pool.query({
    name: 'search_read',
    text: `select t.id, t.name, t.email, t.phone, t.city, t.is_company, t.parent_id, p.complete_name as parent_name, t.write_date
           from res_partner t left join res_partner p on p.workspace_id = t.workspace_id and p.id = t.parent_id
           where t.workspace_id = 1 and t.is_company = $1 and t.name is distinct from $2 and t.active
           order by t.complete_name, t.id desc limit 80`,
    values: [false, absent],
  });
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    email: row.email ?? false,
    phone: row.phone ?? false,
    city: row.city ?? false,
    is_company: row.is_company,
    parent_id: row.parent_id ? [row.parent_id, row.parent_name] : false,
    write_date: row.write_date.toISOString().slice(0, 19).replace('T', ' '),
  }));
}

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) });
