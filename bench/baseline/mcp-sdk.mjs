import { serve } from '@hono/node-server';
import { createMcpHandler, fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { Hono } from 'hono';
import { mcpProduct } from '../../facades/mcp/tools/index.ts';

// Baseline for /mcp: the official server SDK, version 2, with the same tool list. Its responses are constant: no access
// rights, no database, no log.

const ANSWER = { now: '2026-01-01T00:00:00Z', _count: 1 };

function createProductServer() {
  const server = new McpServer({ name: 'baseline', version: '1' });
  for (const { name, title, description, inputSchema, annotations } of mcpProduct.tools)
    server.registerTool(
      name,
      { title, description, inputSchema: fromJsonSchema(inputSchema), annotations },
      async () => ({ content: [{ type: 'text', text: JSON.stringify(ANSWER) }], structuredContent: ANSWER }),
    );
  return server;
}

function createSingleToolServer() {
  const server = new McpServer({ name: 'baseline', version: '1' });
  const inputSchema = fromJsonSchema({ type: 'object', properties: {} });
  server.registerTool('current_time', { description: 'The time.', inputSchema }, async () => ({
    content: [{ type: 'text', text: JSON.stringify(ANSWER) }],
    structuredContent: ANSWER,
  }));
  return server;
}

const [all, singleTool] = [createMcpHandler(createProductServer), createMcpHandler(createSingleToolServer)];
const app = new Hono();
app.get('/', (c) => c.text('ready'));
app.post('/all', (c) => all.fetch(c.req.raw));
app.post('/one', (c) => singleTool.fetch(c.req.raw));
serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' });
