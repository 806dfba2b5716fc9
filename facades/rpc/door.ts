import { type Context, Hono } from 'hono';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { UNAUTHENTICATED_OWNER } from '../../src/http/body.ts';
import { authenticateSession, getRequestId } from '../../src/http/http.ts';
import { limits } from '../../src/limits.ts';
import { databaseNames } from './databases.ts';
import { callButton, callKw, loadAction, resequence } from './dataset.ts';
import { answerJson, answerRoute, answerSessionRoute } from './json/jsonrpc.ts';
import { authenticate, destroy, languages, logoutLink, modules, sessionCtx } from './session.ts';
import { sessionInfo } from './session-info.ts';
import { VERSION_INFO, WEB_VERSION } from './version.ts';
import type { Visit } from './visit.ts';
import { answerXml } from './xml/xmlrpc.ts';

/**
 * Classic RPC: XML-RPC, JSON-RPC, the calls of web clients with a session, and the few routes clients ask on
 * connecting.
 */
export function rpcDoor(runtime: Runtime): Hono {
  const app = new Hono();
  const visit = (c: Context) => visitOf(runtime, c);
  app.post('/xmlrpc/2/:service', (c) => answerXml(visit(c), c.req.raw, c.req.param('service'), false));
  app.post('/xmlrpc/:service', (c) => answerXml(visit(c), c.req.raw, c.req.param('service'), true));
  app.post('/jsonrpc', (c) => answerJson(visit(c), c.req.raw));
  for (const [path, answer] of Object.entries(ROUTES)) app.post(path, (c) => answer(visit(c), c.req.raw));
  for (const path of ['/web/version', '/json/version']) app.get(path, (c) => c.json(WEB_VERSION, 200, PLAIN));
  app.get('/web/health', (c) => c.json({ status: 'pass' }, 200, { ...PLAIN, 'cache-control': 'no-store' }));
  app.get('/web/session/logout', (c) => logoutLink(visit(c)));
  for (const [from, to] of Object.entries(PAGES)) app.get(from, (c) => c.redirect(to, 303));
  for (const path of [...CALLS, ...Object.keys(ROUTES)])
    app.all(path, (c) => c.text('Only POST is answered here.', 405, { allow: 'POST' }));
  return app;
}

/** Where clients look whether a server is there, and people come from a bookmark. */
const PAGES = { '/web': '/', '/web/login': '/login' };

const PLAIN = { 'x-content-type-options': 'nosniff' };

const CALLS = ['/xmlrpc/2/:service', '/xmlrpc/:service', '/jsonrpc'];

type Route = (visit: Visit, request: Request) => Promise<Response>;

/** No large body is read before it is known whose it is. */
const dataset =
  (run: typeof callKw): Route =>
  async (visit, request) => {
    const caller = await authenticateSession(visit.runtime, visit.headers);
    const reading = { maxBytes: limits.rpc.body, owner: caller?.workspace.id ?? UNAUTHENTICATED_OWNER };
    return answerSessionRoute(visit, request, (params) => run(visit, params), reading);
  };

const session =
  (run: (visit: Visit) => unknown): Route =>
  (visit, request) =>
    answerSessionRoute(visit, request, () => run(visit));

const open =
  (run: (visit: Visit) => unknown): Route =>
  (visit, request) =>
    answerRoute(visit, request, () => run(visit));

/** JSON-RPC routes of their own, all POST. */
const ROUTES: Record<string, Route> = {
  '/web/webclient/version_info': open(() => VERSION_INFO),
  '/web/database/list': open(databaseNames),
  '/web/session/authenticate': authenticate,
  '/web/session/get_session_info': session(async (visit) => sessionInfo(await sessionCtx(visit))),
  '/web/session/check': session((visit) => sessionCtx(visit).then(() => null)),
  '/web/session/destroy': destroy,
  '/web/session/get_lang_list': session(languages),
  '/web/session/modules': session(modules),
  '/web/dataset/call_kw': dataset(callKw),
  '/web/dataset/call_kw/*': dataset(callKw),
  '/web/dataset/resequence': dataset(resequence),
  '/web/action/load': dataset(loadAction),
  '/web/dataset/call_button': dataset(callButton),
  '/web/dataset/call_button/*': dataset(callButton),
};

function visitOf(runtime: Runtime, c: Context): Visit {
  const { headers } = c.req.raw;
  return {
    runtime,
    requestId: getRequestId(headers),
    headers,
    streaming: false,
  };
}
