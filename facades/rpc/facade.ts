import { type Context, Hono } from 'hono';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { UNAUTHENTICATED_OWNER } from '../../src/http/body.ts';
import { authenticateSession, getRequestId } from '../../src/http/http.ts';
import { limits } from '../../src/limits.ts';
import { listDatabases } from './databases.ts';
import { callButton, callKw, loadAction, resequence } from './dataset.ts';
import { handleJsonRoute, handleJsonRpc, handleSessionRoute } from './json/jsonrpc.ts';
import type { RpcRequest } from './request.ts';
import {
  authenticate,
  destroy,
  getSessionCtx,
  loadSessionLanguages,
  loadSessionModules,
  logOutByLink,
} from './session.ts';
import { loadSessionInfo } from './session-info.ts';
import { VERSION_INFO, WEB_VERSION } from './version.ts';
import { handleXmlRpc } from './xml/xmlrpc.ts';

/**
 * Serves legacy RPC: XML-RPC, JSON-RPC, web clients' session calls, and routes that clients request when they connect.
 */
export function createRpcFacade(runtime: Runtime): Hono {
  const app = new Hono();
  const visit = (c: Context) => toRpcRequest(runtime, c);
  app.post('/xmlrpc/2/:service', (c) => handleXmlRpc(visit(c), c.req.raw, c.req.param('service'), false));
  app.post('/xmlrpc/:service', (c) => handleXmlRpc(visit(c), c.req.raw, c.req.param('service'), true));
  app.post('/jsonrpc', (c) => handleJsonRpc(visit(c), c.req.raw));
  for (const [path, result] of Object.entries(ROUTES)) app.post(path, (c) => result(visit(c), c.req.raw));
  for (const path of ['/web/version', '/json/version'])
    app.get(path, (c) => c.json(WEB_VERSION, 200, PLAIN_HEADERS));
  app.get('/web/health', (c) =>
    c.json({ status: 'pass' }, 200, { ...PLAIN_HEADERS, 'cache-control': 'no-store' }),
  );
  app.get('/web/session/logout', (c) => logOutByLink(visit(c)));
  for (const [from, to] of Object.entries(PAGES)) app.get(from, (c) => c.redirect(to, 303));
  for (const path of [...CALL_PATHS, ...Object.keys(ROUTES)])
    app.all(path, (c) => c.text('Only POST is answered here.', 405, { allow: 'POST' }));
  return app;
}

/** Redirects for clients that probe the server and for people with bookmarks. */
const PAGES = { '/web': '/', '/web/login': '/login' };

const PLAIN_HEADERS = { 'x-content-type-options': 'nosniff' };

const CALL_PATHS = ['/xmlrpc/2/:service', '/xmlrpc/:service', '/jsonrpc'];

type RpcRoute = (visit: RpcRequest, request: Request) => Promise<Response>;

/** Builds a route that reads a large body only from an authenticated caller. */
const buildDatasetRoute =
  (run: typeof callKw): RpcRoute =>
  async (visit, request) => {
    const caller = await authenticateSession(visit.runtime, visit.headers);
    const reading = { maxBytes: limits.rpc.body, owner: caller?.workspace.id ?? UNAUTHENTICATED_OWNER };
    return handleSessionRoute(visit, request, (params) => run(visit, params), reading);
  };

const buildSessionRoute =
  (run: (visit: RpcRequest) => unknown): RpcRoute =>
  (visit, request) =>
    handleSessionRoute(visit, request, () => run(visit));

const buildOpenRoute =
  (run: (visit: RpcRequest) => unknown): RpcRoute =>
  (visit, request) =>
    handleJsonRoute(visit, request, () => run(visit));

/** JSON-RPC routes that do not belong to a service. All of them accept only POST. */
const ROUTES: Record<string, RpcRoute> = {
  '/web/webclient/version_info': buildOpenRoute(() => VERSION_INFO),
  '/web/database/list': buildOpenRoute(listDatabases),
  '/web/session/authenticate': authenticate,
  '/web/session/get_session_info': buildSessionRoute(async (visit) =>
    loadSessionInfo(await getSessionCtx(visit)),
  ),
  '/web/session/check': buildSessionRoute((visit) => getSessionCtx(visit).then(() => null)),
  '/web/session/destroy': destroy,
  '/web/session/get_lang_list': buildSessionRoute(loadSessionLanguages),
  '/web/session/modules': buildSessionRoute(loadSessionModules),
  '/web/dataset/call_kw': buildDatasetRoute(callKw),
  '/web/dataset/call_kw/*': buildDatasetRoute(callKw),
  '/web/dataset/resequence': buildDatasetRoute(resequence),
  '/web/action/load': buildDatasetRoute(loadAction),
  '/web/dataset/call_button': buildDatasetRoute(callButton),
  '/web/dataset/call_button/*': buildDatasetRoute(callButton),
};

function toRpcRequest(runtime: Runtime, c: Context): RpcRequest {
  const { headers } = c.req.raw;
  return {
    runtime,
    requestId: getRequestId(headers),
    headers,
    streaming: false,
  };
}
