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
import { appDoor } from './app/door.ts';
import { docDoor } from './doc/door.ts';
import { graphqlDoor } from './graphql/door.ts';
import { inboundDoor } from './inbound/door.ts';
import { json2Door } from './json2/door.ts';
import { mailBodyDoor } from './mail-body/door.ts';
import { mcpDoor } from './mcp/door.ts';
import { oauthDoor } from './oauth/door.ts';
import { restDoor } from './rest/door.ts';
import { rpcDoor } from './rpc/door.ts';
import { sesDoor } from './ses/door.ts';
import { siteHostDoor, sitePathDoor } from './site/door.ts';
import { findCachedPage, writePage } from './site/page-cache.ts';
import { watchDoor } from './watch/door.ts';
import { webDoor } from './web/door.ts';

interface BaseFacade {
  /** Its label in metrics and its name in the log. */
  name: string;
  /** Its requests are logged only for who debugs. */
  isQuiet?: boolean;
}

/** A door whose routes are looked at with those of others. */
interface RoutedFacade extends BaseFacade {
  open(runtime: Runtime): Hono;
  /** One address of the door that is looked up before the routes of all: many requests go there. */
  at?: string;
  under?: undefined;
}

/** A door that has every address from `under` on, whether it knows it or not: no other door's routes are looked at. */
interface PrefixFacade extends BaseFacade {
  open(runtime: Runtime): RequestHandler;
  under: string;
}

type Door = RoutedFacade | PrefixFacade;

/** Watching is what machines do all day. */
const WATCH: Door = { name: 'watch', open: watchDoor, isQuiet: true };

/** What browsers ask before a request of another origin is answered in front of the doors. */
const PREFLIGHT: Pick<Door, 'name' | 'isQuiet'> = { name: 'cors', isQuiet: true };

/** Of two doors that fit an address the former answers; the last one answers what is left. */
const FACADES: Door[] = [
  WATCH,
  { name: 'json', open: json2Door, under: '/json/2' },
  { name: 'ses', open: sesDoor },
  { name: 'inbound', open: inboundDoor },
  { name: 'rest', open: restDoor },
  { name: 'rpc', open: rpcDoor },
  { name: 'mcp', open: mcpDoor, at: '/mcp' },
  { name: 'oauth', open: oauthDoor },
  { name: 'graphql', open: graphqlDoor, at: '/graphql' },
  { name: 'doc', open: docDoor },
  { name: 'mail', open: mailBodyDoor },
  { name: 'app', open: appDoor, under: '/app' },
  { name: 'site', open: sitePathDoor, under: '/site' },
  { name: 'site', open: siteHostDoor },
  { name: 'web', open: webDoor },
];

/**
 * Every door on one port; `watch` opens health and metrics alone. Each request is timed and leaves a line in the log.
 */
export function buildFacades(runtime: Runtime, which: 'all' | 'watch'): HttpHandler {
  const doors = runtime.config.web ? FACADES : FACADES.filter(({ name }) => name !== 'app');
  const find = mountFacades(runtime, which === 'all' ? doors : [WATCH]);
  const origins = runtime.config.corsOrigins;
  const isSecure = runtime.config.publicUrl.startsWith('https:');
  const fetch: HttpHandler = (request, env) => {
    const started = performance.now();
    recordArrival(request.headers, env);
    // On the connection, so that answers have it that are written there too.
    if (isSecure) getArrival(request.headers).outgoing?.setHeader(...HTTPS_ONLY);
    const path = getUrlPath(request.url);
    const preflight = buildPreflightResponse(origins, request);
    if (preflight) {
      recordRequest(runtime, PREFLIGHT, request, path, preflight.status, performance.now() - started);
      return preflight;
    }
    if (!isValidHost(request.headers.get('host'))) return badHostResponse(request);
    const { app, facade: door } = find(path);
    // A route that answers writes its door in here.
    const visit: RequestState = { ...(env as object), facade: door };
    const finish = (response: Response) => {
      recordRequest(
        runtime,
        visit.facade,
        request,
        path,
        getStatus(request, response),
        performance.now() - started,
      );
      if (response.status >= 400) completeErrorHeaders(request, response);
      addCorsHeaders(origins, request, response);
      return response;
    };
    const answer = tracing.now
      ? traceRequest(tracing.now, app, request, visit)
      : respondAndRelease(app, request, visit);
    // What is known at once is answered at once.
    return answer instanceof Promise ? answer.then(finish) : finish(answer);
  };
  return which === 'all' ? Object.assign(fetch, { atOnce: serveCachedPages(runtime) }) : fetch;
}

/** Browsers come by HTTPS alone for a year (RFC 6797). Other hosts below the name are not ours to decide about. */
const HTTPS_ONLY = ['strict-transport-security', `max-age=${365 * 86_400}`] as const;

const SITE: Pick<Door, 'name'> = { name: 'site' };

/** Pages of websites that are kept for everyone go past all doors, and are counted and logged as theirs. */
function serveCachedPages(runtime: Runtime): NonNullable<HttpHandler['atOnce']> {
  return (incoming, outgoing) => {
    const started = performance.now();
    const kept = tracing.now ? null : findCachedPage(runtime, incoming);
    if (!kept) return false;
    const headers = toReadableHeaders(incoming);
    recordArrival(headers, { incoming, outgoing });
    if (runtime.config.publicUrl.startsWith('https:')) outgoing.setHeader(...HTTPS_ONLY);
    const request = { method: incoming.method!, headers };
    // Other connections are read first: written at once, each answer would have its reader interrupt the next read.
    setImmediate(() => {
      writePage(kept.page, request, buildCorsHeaders(runtime.config.corsOrigins, headers), outgoing);
      recordRequest(runtime, SITE, request, kept.path, outgoing.statusCode, performance.now() - started);
    });
    return true;
  };
}

function badHostResponse(request: Request): Response {
  const answer = new Response('The Host header is not valid.', { status: 400 });
  completeErrorHeaders(request, answer);
  return answer;
}

/** What was parsed of a body lives until the request is answered. */
function respondAndRelease(
  app: RequestHandler,
  request: Request,
  visit: RequestState,
): Response | Promise<Response> {
  const answer = app.fetch(request, visit);
  return answer instanceof Promise ? answer.finally(() => releaseBody(request)) : answer;
}

/** A part of the caller's trace, where it says one. */
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
      'atrium.door': visit.facade.name,
      'http.response.status_code': getStatus(request, response),
      ...(id && { 'atrium.request_id': id }),
    });
    return response;
  });
}

/** What a door has answered on the connection itself has its status there. */
const getStatus = ({ headers }: Request, response: Response): number =>
  (response === RESPONSE_ALREADY_SENT && getArrival(headers).outgoing?.statusCode) || response.status;

/** Seconds. What is busy for longer says so again. */
const RETRY_AFTER = '1';

interface RequestState {
  facade: Door;
}

interface MountedFacade {
  app: RequestHandler;
  /** The door that answers where no route says otherwise. */
  facade: Door;
}

/** Opens the doors. @returns what answers at a path */
function mountFacades(runtime: Runtime, doors: Door[]): (path: string) => MountedFacade {
  const routes = new Hono();
  const shared: MountedFacade = { app: routes, facade: doors.at(-1)! };
  const own: (MountedFacade & { under: string })[] = [];
  const single = new Map<string, MountedFacade>();
  for (const door of doors) {
    if (door.under !== undefined) {
      own.push({ app: door.open(runtime), facade: door, under: door.under });
      continue;
    }
    const app = door.open(runtime);
    mountRoutes(routes, app, door);
    if (door.at) single.set(door.at, { app, facade: door });
  }
  return (path) =>
    single.get(path) ?? own.find(({ under }) => path === under || path.startsWith(`${under}/`)) ?? shared;
}

/** As Hono's `route`, and what a route answers is known as its door's. */
function mountRoutes(app: Hono, { routes }: Hono, door: Door): void {
  for (const { method, path, handler } of routes)
    app.on(method, path, (c: Context<{ Bindings: RequestState }>, next: Next) => {
      c.env.facade = door;
      return handler(c, next);
    });
}

/** Doors name their answers; this is for the refusals that come before a door knows what is asked. */
function completeErrorHeaders(request: Request, response: Response): void {
  if (response.status === 503) response.headers.set('retry-after', RETRY_AFTER);
  if (!response.headers.has('x-request-id'))
    response.headers.set('x-request-id', getRequestId(request.headers));
}

function recordRequest(
  runtime: Runtime,
  { name, isQuiet }: Pick<Door, 'name' | 'isQuiet'>,
  request: { method: string; headers: ReadableHeaders },
  path: string,
  status: number,
  ms: number,
): void {
  runtime.metrics.requests.observe({ door: name, status: String(status) }, ms / 1000);
  const level = isQuiet ? 'debug' : 'info';
  if (!runtime.log.isLevelEnabled(level)) return;
  const requestId = getRequestId(request.headers);
  const source = getClientAddress(runtime, request.headers);
  runtime.log[level](
    {
      ...{ requestId, door: name, method: request.method, path: redactPath(path), status, source },
      ms: Math.round(ms * 10) / 10,
    },
    'request',
  );
}
