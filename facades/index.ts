import { type Context, Hono, type Next } from 'hono';
import type { Runtime } from '../src/engine/ctx/runtime.ts';
import { releaseBody } from '../src/http/body.ts';
import { preflightAnswer, shareAnswer } from '../src/http/cors.ts';
import { type Doors, isHost, requestIdOf } from '../src/http/http.ts';
import { noteArrival, sourceOf } from '../src/http/source.ts';
import { type Tracing, tracing } from '../src/trace.ts';
import { docDoor } from './doc/door.ts';
import { graphqlDoor } from './graphql/door.ts';
import { json2Door } from './json2/door.ts';
import { mcpDoor } from './mcp/door.ts';
import { restDoor } from './rest/door.ts';
import { rpcDoor } from './rpc/door.ts';
import { sesDoor } from './ses/door.ts';
import { watchDoor } from './watch/door.ts';
import { webDoor } from './web/door.ts';

interface Door {
  /** Its label in metrics and its name in the log. */
  name: string;
  open(runtime: Runtime): Hono;
  /** Every address from here on is the door's, whether it knows it or not: no other door's routes are looked at. */
  under?: string;
  /** One address of the door that is looked up before the routes of all: many requests go there. */
  at?: string;
  /** Its requests are logged only for who debugs. */
  isQuiet?: boolean;
}

/** Watching is what machines do all day. */
const WATCH: Door = { name: 'watch', open: watchDoor, isQuiet: true };

/** What browsers ask before a request of another origin is answered in front of the doors. */
const PREFLIGHT: Pick<Door, 'name' | 'isQuiet'> = { name: 'cors', isQuiet: true };

/** Of two doors that fit an address the former answers; the last one answers what is left. */
const DOORS: Door[] = [
  WATCH,
  { name: 'json', open: json2Door, under: '/json/2' },
  { name: 'ses', open: sesDoor },
  { name: 'rest', open: restDoor },
  { name: 'rpc', open: rpcDoor },
  { name: 'mcp', open: mcpDoor },
  { name: 'graphql', open: graphqlDoor, at: '/graphql' },
  { name: 'doc', open: docDoor },
  { name: 'web', open: webDoor },
];

/**
 * Every door on one port; `watch` opens health and metrics alone. Each request is timed and leaves a line in the log.
 */
export function buildDoors(runtime: Runtime, which: 'all' | 'watch'): Doors {
  const find = mounted(runtime, which === 'all' ? DOORS : [WATCH]);
  const origins = runtime.config.corsOrigins;
  return async (request, env) => {
    const started = performance.now();
    noteArrival(request.headers, env);
    const path = pathOf(request.url);
    const preflight = preflightAnswer(origins, request);
    if (preflight) {
      observe(runtime, PREFLIGHT, request, path, preflight.status, performance.now() - started);
      return preflight;
    }
    if (!isHost(request.headers.get('host'))) return badHost(request);
    const { app, door } = find(path);
    // A route that answers writes its door in here.
    const visit: Visit = { ...(env as object), door };
    const response = await (tracing.now
      ? traced(tracing.now, app, request, visit)
      : answered(app, request, visit));
    observe(runtime, visit.door, request, path, response.status, performance.now() - started);
    if (response.status >= 400) completeRefusal(request, response);
    shareAnswer(origins, request, response);
    return response;
  };
}

function badHost(request: Request): Response {
  const answer = new Response('The Host header is not valid.', { status: 400 });
  completeRefusal(request, answer);
  return answer;
}

/** What was parsed of a body lives until the request is answered. */
async function answered(app: Hono, request: Request, visit: Visit): Promise<Response> {
  try {
    return await app.fetch(request, visit);
  } finally {
    releaseBody(request);
  }
}

/** A part of the caller's trace, where it says one. */
function traced(now: Tracing, app: Hono, request: Request, visit: Visit): Promise<Response> {
  const facts = { 'http.request.method': request.method, 'url.path': pathOf(request.url) };
  const work = { name: `${request.method} request`, facts, from: request.headers.get('traceparent') };
  return now.within(work, async (add) => {
    const response = await answered(app, request, visit);
    const { headers, status } = response;
    const id = headers.get('x-request-id');
    add({
      'atrium.door': visit.door.name,
      'http.response.status_code': status,
      ...(id && { 'atrium.request_id': id }),
    });
    return response;
  });
}

/** Seconds. What is busy for longer says so again. */
const RETRY_AFTER = '1';

interface Visit {
  door: Door;
}

interface Mounted {
  app: Hono;
  /** The door that answers where no route says otherwise. */
  door: Door;
}

/** Opens the doors. @returns what answers at a path */
function mounted(runtime: Runtime, doors: Door[]): (path: string) => Mounted {
  const shared: Mounted = { app: new Hono(), door: doors.at(-1)! };
  const own: (Mounted & { under: string })[] = [];
  const single = new Map<string, Mounted>();
  for (const door of doors) {
    const app = door.open(runtime);
    if (door.under) own.push({ app, door, under: door.under });
    else share(shared.app, app, door);
    if (door.at) single.set(door.at, { app, door });
  }
  return (path) =>
    single.get(path) ?? own.find(({ under }) => path === under || path.startsWith(`${under}/`)) ?? shared;
}

/** As Hono's `route`, and what a route answers is known as its door's. */
function share(app: Hono, { routes }: Hono, door: Door): void {
  for (const { method, path, handler } of routes)
    app.on(method, path, (c: Context<{ Bindings: Visit }>, next: Next) => {
      c.env.door = door;
      return handler(c, next);
    });
}

/** Doors name their answers; this is for the refusals that come before a door knows what is asked. */
function completeRefusal(request: Request, response: Response): void {
  if (response.status === 503) response.headers.set('retry-after', RETRY_AFTER);
  if (!response.headers.has('x-request-id'))
    response.headers.set('x-request-id', requestIdOf(request.headers));
}

function observe(
  runtime: Runtime,
  { name, isQuiet }: Pick<Door, 'name' | 'isQuiet'>,
  request: Request,
  path: string,
  status: number,
  ms: number,
): void {
  runtime.metrics.requests.observe({ door: name, status: String(status) }, ms / 1000);
  const level = isQuiet ? 'debug' : 'info';
  if (!runtime.log.isLevelEnabled(level)) return;
  const requestId = requestIdOf(request.headers);
  const source = sourceOf(runtime, request.headers);
  runtime.log[level](
    { requestId, door: name, method: request.method, path, status, source, ms: Math.round(ms * 10) / 10 },
    'request',
  );
}

/** Without the query, which may hold what a log should not. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const end = url.indexOf('?', start);
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end);
}
