import { type Context, Hono } from 'hono';
import type { Runtime } from '../../src/engine/runtime.ts';
import { requestIdOf } from '../../src/http.ts';
import { databaseNames } from './databases.ts';
import { answerJson, answerRoute } from './jsonrpc.ts';
import { VERSION, WEB_VERSION } from './version.ts';
import type { Visit } from './visit.ts';
import { answerXml } from './xmlrpc.ts';

/** Classic RPC: XML-RPC, JSON-RPC, and the few routes its clients ask on connecting. */
export function rpcDoor(runtime: Runtime): Hono {
  const app = new Hono();
  const visit = (c: Context) => visitOf(runtime, c);
  app.post('/xmlrpc/2/:service', (c) => answerXml(visit(c), c.req.raw, c.req.param('service'), false));
  app.post('/xmlrpc/:service', (c) => answerXml(visit(c), c.req.raw, c.req.param('service'), true));
  app.post('/jsonrpc', (c) => answerJson(visit(c), c.req.raw));
  app.post('/web/webclient/version_info', (c) => answerRoute(visit(c), c.req.raw, () => VERSION));
  app.post('/web/database/list', (c) => {
    const visitor = visit(c);
    return answerRoute(visitor, c.req.raw, () => databaseNames(visitor));
  });
  for (const path of ['/web/version', '/json/version'])
    app.get(path, (c) => c.json(WEB_VERSION, 200, { 'x-content-type-options': 'nosniff' }));
  for (const path of POSTED)
    app.all(path, (c) => c.text('Only POST is answered here.', 405, { allow: 'POST' }));
  return app;
}

const POSTED = [
  '/xmlrpc/2/:service',
  '/xmlrpc/:service',
  '/jsonrpc',
  '/web/webclient/version_info',
  '/web/database/list',
];

function visitOf(runtime: Runtime, c: Context): Visit {
  const { headers } = c.req.raw;
  const incoming = (c.env as { incoming?: { socket?: { remoteAddress?: string } } } | undefined)?.incoming;
  return {
    runtime,
    requestId: requestIdOf(headers),
    source: incoming?.socket?.remoteAddress ?? 'unknown',
    host: headers.get('host'),
  };
}
