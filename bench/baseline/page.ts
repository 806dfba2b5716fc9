import { serve } from '@hono/node-server';
import { Hono } from 'hono';

// Serves one page from memory with Hono. The page is uploaded with PUT.

let page = '';
const app = new Hono();
app.get('/', (c) => c.html(page));
app.put('/', async (c) => {
  page = await c.req.text();
  return c.body(null, 204);
});
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
