import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { html } from 'hono/html';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { Workspace } from '../../src/engine/ctx/workspace.ts';
import { type AppError, errors } from '../../src/errors.ts';
import { getArrival } from '../../src/http/client-address.ts';
import { getUrlPath, parseHostSlug } from '../../src/http/http.ts';
import { isOwnHost } from '../../src/http/own-host.ts';
import { prefersHtml, renderHtmlPage } from '../../src/http/page.ts';
import {
  getRequestOrigin,
  getResourceUrl,
  isOAuthHost,
  OAUTH_SCOPES,
  RESOURCE_METADATA_PATH,
} from '../../src/http/protected-resource.ts';
import { createVisitAdapter, type Visit, type VisitHandler } from '../../src/http/visit.ts';
import { limits } from '../../src/limits.ts';
import { handleRevocation, serveAgentsPage } from './agents-page.ts';
import { handleDecision, serveConsentPage } from './consent.ts';
import { renderRateLimitPage } from './error-page.ts';
import { checkOAuthRate } from './rates.ts';
import { AGENTS_PATH, CONSENT_PATH, DISCOVERY_PATH, OAUTH_ROUTES } from './routes.ts';
import type { AuthorizationServer } from './server.ts';

export const MAX_AUTHORIZATION_BYTES = 4 * 1024;

const CORS_HEADERS = { 'access-control-allow-origin': '*' };

/** Serves OAuth for agents that act for a user: each workspace's authorization server and its pages. */
export function createOAuthFacade(runtime: Runtime): Hono {
  const app = new Hono();
  const handleVisit = createVisitAdapter(runtime, buildErrorResponse);
  for (const path of [
    RESOURCE_METADATA_PATH,
    `${RESOURCE_METADATA_PATH}/mcp`,
    `${RESOURCE_METADATA_PATH}/mcp/`,
  ]) {
    app.get(path, handleVisit(serveResourceMetadata));
    app.options(path, () => buildPreflightResponse('GET'));
  }
  app.options(OAUTH_ROUTES.registration, () => buildPreflightResponse('POST'));
  const served = [
    DISCOVERY_PATH,
    ...Object.values(OAUTH_ROUTES),
    `${OAUTH_ROUTES.authorization}/:uid`,
    `${OAUTH_ROUTES.registration}/:id`,
  ];
  for (const path of served) app.all(path, handleVisit(withRateLimit(serveProvider)));
  app.get(`${CONSENT_PATH}/:uid`, handleVisit(withRateLimit(serveConsentPage)));
  app.post(`${CONSENT_PATH}/:uid`, handleVisit(withRateLimit(handleDecision)));
  app.get(AGENTS_PATH, handleVisit(serveAgentsPage));
  app.post(AGENTS_PATH, handleVisit(handleRevocation));
  return app;
}

/** Returns the protected resource metadata of /mcp (RFC 9728). */
async function serveResourceMetadata({ runtime, request }: Visit): Promise<Response> {
  const { name } = await getWorkspace(runtime, request);
  const origin = getRequestOrigin(runtime, request.headers);
  const body = {
    resource: getResourceUrl(origin),
    authorization_servers: [origin],
    scopes_supported: OAUTH_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: `${name} · Atrium`,
  };
  return Response.json(body, { headers: { ...CORS_HEADERS, 'cache-control': 'no-store' } });
}

const buildPreflightResponse = (method: string): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...CORS_HEADERS,
      'access-control-allow-methods': method,
      'access-control-allow-headers': 'authorization, content-type, mcp-protocol-version',
      'access-control-max-age': String(limits.http.preflightTime),
    },
  });

/**
 * Returns the host's workspace.
 * @throws NOT_FOUND if the workspace does not exist or has MCP disabled, without revealing which
 */
async function getWorkspace(runtime: Runtime, request: Request): Promise<Workspace> {
  const host = request.headers.get('host');
  const slug = parseHostSlug(runtime, host) ?? 'main';
  const isKnown = isOwnHost(runtime.config.publicUrl, host) && isOAuthHost(runtime, request.headers);
  const workspace = isKnown ? await runtime.identity.workspace(slug) : null;
  if (!workspace?.features.has('mcp')) throw errors.notFound('OAuth sign-in');
  return workspace;
}

/** Checks the rate limit before any other work. */
const withRateLimit =
  (handle: (visit: Visit, server: AuthorizationServer) => Promise<Response>): VisitHandler =>
  async (visit) => {
    const { runtime, request, requestId } = visit;
    const { headers } = request;
    const workspace = await getWorkspace(runtime, request);
    const wait = checkOAuthRate(runtime, workspace.id, headers, getRequestKind(request));
    if (wait !== null) return buildRateLimitResponse(headers, wait, requestId);
    // Loaded on first use, because many installations never need it.
    const { getAuthorizationServer } = await import('./server.ts');
    return handle(visit, getAuthorizationServer(runtime, workspace, getRequestOrigin(runtime, headers)));
  };

function getRequestKind({ method, url }: Request): 'registrations' | 'authorizations' | 'requests' {
  const path = getUrlPath(url);
  if (path === OAUTH_ROUTES.authorization) return 'authorizations';
  return method === 'POST' && path === OAUTH_ROUTES.registration ? 'registrations' : 'requests';
}

/** Lets the library handle the request. It writes the response directly to the connection. */
async function serveProvider(
  { request, requestId }: Visit,
  { origin, provider, rows }: AuthorizationServer,
): Promise<Response> {
  const kind = getRequestKind(request);
  if (kind === 'authorizations') checkLength(request);
  if (kind === 'registrations' && !(await rows.makeRoom()))
    return buildRateLimitResponse(request.headers, limits.oauth.decisionSeconds, requestId);
  const { incoming, outgoing } = getArrival(request.headers);
  const { protocol, host } = new URL(origin);
  // The library builds URLs from these headers, so values from the client must be overwritten.
  Object.assign(incoming!.headers, { 'x-forwarded-proto': protocol.slice(0, -1), 'x-forwarded-host': host });
  outgoing!.setHeader('x-request-id', requestId);
  outgoing!.setHeader('x-content-type-options', 'nosniff');
  outgoing!.setHeader('referrer-policy', 'no-referrer');
  if (kind === 'registrations') outgoing!.setHeader('access-control-allow-origin', '*');
  await provider.callback()(incoming!, outgoing!);
  return RESPONSE_ALREADY_SENT;
}

/**
 * Limits the request's length, because the request is stored until the user decides.
 * @throws BAD_REQUEST if the request is too long or its length is unknown
 */
function checkLength({ method, url, headers }: Request): void {
  const body = method === 'POST' ? Number(headers.get('content-length') ?? Number.NaN) : 0;
  if (!(url.length <= MAX_AUTHORIZATION_BYTES && body <= MAX_AUTHORIZATION_BYTES))
    throw errors.badRequest(`An authorization request is limited to ${MAX_AUTHORIZATION_BYTES} bytes.`);
}

function buildRateLimitResponse(headers: Headers, seconds: number, requestId: string): Response {
  const extra = { 'retry-after': String(seconds), 'x-request-id': requestId };
  if (prefersHtml(headers)) return renderRateLimitPage(extra, requestId);
  const body = { error: 'temporarily_unavailable', error_description: 'Too many requests. Try again later.' };
  return Response.json(body, { status: 429, headers: { ...CORS_HEADERS, ...extra } });
}

function buildErrorResponse(error: AppError, headers: Headers, requestId: string): Response {
  if (!prefersHtml(headers))
    return Response.json(
      { error: error.status === 404 ? 'not_found' : 'invalid_request', error_description: error.message },
      { status: error.status, headers: { ...CORS_HEADERS, 'x-request-id': requestId } },
    );
  const body = html`<h1>${error.status}</h1><p>${error.message}</p><p><a href="/">Go to the start page</a></p>`;
  return renderHtmlPage(`${error.status} · Atrium`, body, requestId, { status: error.status, bar: '' });
}
