import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Context, Hono, type Next } from 'hono';
import type { Runtime } from '../src/engine/ctx/runtime.ts';
import { releaseBody } from '../src/http/body.ts';
import {
  getArrival,
  getClientAddress,
  type ReadableHeaders,
  recordArrival,
  toReadableHeaders,
} from '../src/http/client-address.ts';
import { addCorsHeaders, buildCorsHeaders, buildPreflightResponse } from '../src/http/cors.ts';
import {
  getRequestId,
  getUrlPath,
  type HttpHandler,
  isValidHost,
  type RequestHandler,
} from '../src/http/http.ts';
import { redactPath } from '../src/http/redact-path.ts';
import { type Tracing, tracing } from '../src/trace.ts';
import { createAppFacade } from './app/facade.ts';
import { createDocFacade } from './doc/facade.ts';
import { createGraphqlFacade } from './graphql/facade.ts';
import { createJson2Facade } from './json2/facade.ts';
import { createInboundFacade } from './mailbox/facade.ts';
import { createMcpFacade } from './mcp/facade.ts';
import { createMailBodyFacade } from './message/facade.ts';
import { createOAuthFacade } from './oauth/facade.ts';
import { createRestFacade } from './rest/facade.ts';
import { createRpcFacade } from './rpc/facade.ts';
import { createSesFacade } from './ses/facade.ts';
import { createSiteHostFacade, createSitePathFacade } from './site/facade.ts';
import { findCachedPage, writePage } from './site/page-cache.ts';
import { createWatchFacade } from './watch/facade.ts';
import { createWebFacade } from './web/facade.ts';

interface BaseFacade {
  /** Label in metrics and name in the log. */
  name: string;
  /** True to log requests only at debug level. */
  isQuiet?: boolean;
}

interface RoutedFacade extends BaseFacade {
  open(runtime: Runtime): Hono;
  /** A frequently requested path, which is matched before the routes of all facades. */
  at?: string;
  under?: undefined;
}

/** A facade that handles every path below `under`, including unknown ones. Other facades never see these requests. */
interface PrefixFacade extends BaseFacade {
  open(runtime: Runtime): RequestHandler;
  under: string;
}

type Facade = RoutedFacade | PrefixFacade;

/** Quiet, because monitoring systems poll it constantly. */
const WATCH: Facade = { name: 'watch', open: createWatchFacade, isQuiet: true };

/** CORS preflight requests, which are handled before the facades. */
const PREFLIGHT: Pick<Facade, 'name' | 'isQuiet'> = { name: 'cors', isQuiet: true };

/** The first matching facade handles a request. The last facade handles unmatched paths. */
const FACADES: Facade[] = [
  WATCH,
  { name: 'json', open: createJson2Facade, under: '/json/2' },
  { name: 'ses', open: createSesFacade },
  { name: 'inbound', open: createInboundFacade },
  { name: 'rest', open: createRestFacade },
  { name: 'rpc', open: createRpcFacade },
  { name: 'mcp', open: createMcpFacade, at: '/mcp' },
  { name: 'oauth', open: createOAuthFacade },
  { name: 'graphql', open: createGraphqlFacade, at: '/graphql' },
  { name: 'doc', open: createDocFacade },
  { name: 'mail', open: createMailBodyFacade },
  { name: 'app', open: createAppFacade, under: '/app' },
  { name: 'site', open: createSitePathFacade, under: '/site' },
  { name: 'site', open: createSiteHostFacade },
  { name: 'web', open: createWebFacade },
];

/** Mounts every facade on one port; `watch` mounts only health and metrics. Measures and logs each request. */
export function buildFacades(runtime: Runtime, set: 'all' | 'watch'): HttpHandler {
  const facades = runtime.config.web ? FACADES : FACADES.filter(({ name }) => name !== 'app');
  const find = mountFacades(runtime, set === 'all' ? facades : [WATCH]);
  const origins = runtime.config.corsOrigins;
  const isSecure = runtime.config.publicUrl.startsWith('https:');
  const fetch: HttpHandler = (request, env) => {
    const startTime = performance.now();
    recordArrival(request.headers, env);
    // Set on the connection, so that responses written directly to it include the header.
    if (isSecure) getArrival(request.headers).outgoing?.setHeader(...HTTPS_ONLY);
    const path = getUrlPath(request.url);
    const preflight = buildPreflightResponse(origins, request);
    if (preflight) {
      recordRequest(runtime, PREFLIGHT, request, path, preflight.status, performance.now() - startTime);
      return preflight;
    }
    if (!isValidHost(request.headers.get('host'))) return buildBadHostResponse(request);
    const { app, facade } = find(path);
    // `mountRoutes` replaces the facade with the facade of the matched route.
    const visit: RequestState = { ...(env as object), facade };
    const finish = (response: Response) => {
      recordRequest(
        runtime,
        visit.facade,
        request,
        path,
        getStatus(request, response),
        performance.now() - startTime,
      );
      if (response.status >= 400) completeErrorHeaders(request, response);
      addCorsHeaders(origins, request, response);
      return response;
    };
    const result = tracing.now
      ? traceRequest(tracing.now, app, request, visit)
      : respondAndRelease(app, request, visit);
    // Synchronous responses stay synchronous, which saves a promise per request.
    return result instanceof Promise ? result.then(finish) : finish(result);
  };
  return set === 'all' ? Object.assign(fetch, { atOnce: createCachedPageHandler(runtime) }) : fetch;
}

/** Browsers use only HTTPS for a year (RFC 6797). Excludes subdomains, which may belong to other services. */
const HTTPS_ONLY = ['strict-transport-security', `max-age=${365 * 86_400}`] as const;

const SITE: Pick<Facade, 'name'> = { name: 'site' };

/** Serves cached public website pages before any facade. They count as requests of the website facade. */
function createCachedPageHandler(runtime: Runtime): NonNullable<HttpHandler['atOnce']> {
  return (message, outgoingResponse) => {
    const startTime = performance.now();
    const cachedResponse = tracing.now ? null : findCachedPage(runtime, message);
    if (!cachedResponse) return false;
    const headers = toReadableHeaders(message);
    recordArrival(headers, { incoming: message, outgoing: outgoingResponse });
    if (runtime.config.publicUrl.startsWith('https:')) outgoingResponse.setHeader(...HTTPS_ONLY);
    const request = { method: message.method!, headers };
    // Defers the write until pending requests on other connections have been read.
    setImmediate(() => {
      writePage(
        cachedResponse.page,
        request,
        buildCorsHeaders(runtime.config.corsOrigins, headers),
        outgoingResponse,
      );
      recordRequest(
        runtime,
        SITE,
        request,
        cachedResponse.path,
        outgoingResponse.statusCode,
        performance.now() - startTime,
      );
    });
    return true;
  };
}

function buildBadHostResponse(request: Request): Response {
  const response = new Response('The Host header is not valid.', { status: 400 });
  completeErrorHeaders(request, response);
  return response;
}

function respondAndRelease(
  app: RequestHandler,
  request: Request,
  visit: RequestState,
): Response | Promise<Response> {
  const response = app.fetch(request, visit);
  return response instanceof Promise ? response.finally(() => releaseBody(request)) : response;
}

/** Runs the request in a span. The span joins the caller's trace if the request has a `traceparent` header. */
function traceRequest(
  now: Tracing,
  app: RequestHandler,
  request: Request,
  visit: RequestState,
): Promise<Response> {
  const attributes = {
    'http.request.method': request.method,
    'url.path': redactPath(getUrlPath(request.url)),
  };
  const work = { name: `${request.method} request`, attributes, from: request.headers.get('traceparent') };
  return now.runSpan(work, async (add) => {
    const response = await respondAndRelease(app, request, visit);
    const id = response.headers.get('x-request-id');
    add({
      'atrium.facade': visit.facade.name,
      'http.response.status_code': getStatus(request, response),
      ...(id && { 'atrium.request_id': id }),
    });
    return response;
  });
}

/** Reads the status from the connection if a facade wrote the response directly to it. */
const getStatus = ({ headers }: Request, response: Response): number =>
  (response === RESPONSE_ALREADY_SENT && getArrival(headers).outgoing?.statusCode) || response.status;

/** In seconds. The delay is short, because a server that is still busy responds with 503 again. */
const RETRY_AFTER = '1';

interface RequestState {
  facade: Facade;
}

interface MountedFacade {
  app: RequestHandler;
  /** Used unless a route sets another facade. */
  facade: Facade;
}

function mountFacades(runtime: Runtime, facades: Facade[]): (path: string) => MountedFacade {
  const routes = new Hono();
  const sharedFacade: MountedFacade = { app: routes, facade: facades.at(-1)! };
  const mounts: (MountedFacade & { under: string })[] = [];
  const mountedByName = new Map<string, MountedFacade>();
  for (const facade of facades) {
    if (facade.under !== undefined) {
      mounts.push({ app: facade.open(runtime), facade, under: facade.under });
      continue;
    }
    const app = facade.open(runtime);
    mountRoutes(routes, app, facade);
    if (facade.at) mountedByName.set(facade.at, { app, facade });
  }
  return (path) =>
    mountedByName.get(path) ??
    mounts.find(({ under }) => path === under || path.startsWith(`${under}/`)) ??
    sharedFacade;
}

/** Works like Hono's `route`, and also records the facade of each route. */
function mountRoutes(app: Hono, { routes }: Hono, facade: Facade): void {
  for (const { method, path, handler } of routes)
    app.on(method, path, (c: Context<{ Bindings: RequestState }>, next: Next) => {
      c.env.facade = facade;
      return handler(c, next);
    });
}

/** Adds headers to errors that occur before a facade handles the request. Facades set these headers themselves. */
function completeErrorHeaders(request: Request, response: Response): void {
  if (response.status === 503) response.headers.set('retry-after', RETRY_AFTER);
  if (!response.headers.has('x-request-id'))
    response.headers.set('x-request-id', getRequestId(request.headers));
}

function recordRequest(
  runtime: Runtime,
  { name, isQuiet }: Pick<Facade, 'name' | 'isQuiet'>,
  request: { method: string; headers: ReadableHeaders },
  path: string,
  status: number,
  ms: number,
): void {
  runtime.metrics.requests.observe({ facade: name, status: String(status) }, ms / 1000);
  const level = isQuiet ? 'debug' : 'info';
  if (!runtime.log.isLevelEnabled(level)) return;
  const requestId = getRequestId(request.headers);
  const source = getClientAddress(runtime, request.headers);
  runtime.log[level](
    {
      ...{ requestId, facade: name, method: request.method, path: redactPath(path), status, source },
      ms: Math.round(ms * 10) / 10,
    },
    'request',
  );
}
