import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import pg from 'pg';

// Baseline for the Amazon SNS facade: Hono and pg only. No signature, no email, one row per notification.

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
await pool.query('create table if not exists bench_notice (message_id text primary key, body jsonb)');
const app = new Hono();

app.get('/', (c) => c.text('ok'));

app.post('/sns', async (c) => {
  const envelope = await c.req.json();
  await pool.query({
    name: 'notice',
    text: 'insert into bench_notice (message_id, body) values ($1, $2) on conflict do nothing',
    values: [envelope.MessageId, envelope.Message],
  });
  return c.json({ data: 'Success' });
});

serve({ fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT) });
