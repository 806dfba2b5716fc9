import { Hono } from 'hono';
import type { Runtime } from '../src/engine/ctx/runtime.ts';
import { type Doors, requestIdOf } from '../src/http/http.ts';
import { docDoor } from './doc/door.ts';
import { graphqlDoor } from './graphql/door.ts';
import { json2Door } from './json2/door.ts';
import { mcpDoor } from './mcp/door.ts';
import { restDoor } from './rest/door.ts';
import { rpcDoor } from './rpc/door.ts';
import { sesDoor } from './ses/door.ts';
import { watchDoor } from './watch/door.ts';
import { webDoor } from './web/door.ts';

/** Every door on one port; `watch` opens health and metrics alone. Each request is timed and leaves a line in the log. */
export function buildDoors(runtime: Runtime, which: 'all' | 'watch'): Doors {
  const app = new Hono();
  const json2 = json2Door(runtime);
  app.route('/', watchDoor(runtime));
  if (which === 'all') {
    for (const door of [sesDoor, restDoor, rpcDoor, mcpDoor, graphqlDoor, docDoor, webDoor])
      app.route('/', door(runtime));
  }
  return async (request, env) => {
    const started = performance.now();
    // The busiest door needs no look at the routes of the others.
    const door = which === 'all' && isJson2(pathOf(request.url)) ? json2 : app;
    const response = await door.fetch(request, env as object);
    observe(runtime, request, response.status, performance.now() - started);
    if (response.status >= 400) nameRefusal(request, response);
    return response;
  };
}

const isJson2 = (path: string): boolean => path.startsWith('/json/2/') || path === '/json/2';

/** Doors name their answers; this is for the refusals that come before a door knows what is asked. */
function nameRefusal(request: Request, response: Response): void {
  if (!response.headers.has('x-request-id'))
    response.headers.set('x-request-id', requestIdOf(request.headers));
}

function observe(runtime: Runtime, request: Request, status: number, ms: number): void {
  const path = pathOf(request.url);
  const door = doorOf(path);
  runtime.metrics.requests.observe({ door, status: String(status) }, ms / 1000);
  // Watching is what machines do all day.
  const level = door === 'watch' ? 'debug' : 'info';
  if (!runtime.log.isLevelEnabled(level)) return;
  const requestId = requestIdOf(request.headers);
  runtime.log[level](
    { requestId, door, method: request.method, path, status, ms: Math.round(ms * 10) / 10 },
    'request',
  );
}

/** Without the query, which may hold what a log should not. */
function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('//') + 2);
  const end = url.indexOf('?', start);
  return start < 0 ? '/' : url.slice(start, end < 0 ? undefined : end);
}

const DOORS: [prefix: RegExp, door: string][] = [
  [/^\/api\/(health|ready)$|^\/metrics$/, 'watch'],
  [/^\/api\/ses_callback$/, 'ses'],
  [/^\/(api\/unsubscribe-oneclick$|web\/(content|image)\/)/, 'web'],
  [/^\/api\//, 'rest'],
  [/^\/json\/2\b/, 'json'],
  [/^\/(xmlrpc|jsonrpc|web\/|json\/)/, 'rpc'],
  [/^\/mcp\b/, 'mcp'],
  [/^\/graphql\b/, 'graphql'],
  [/^\/doc(-bearer)?(\/|$)/, 'doc'],
];

/** The door's name in metrics: a closed set, whatever is asked for. */
const doorOf = (path: string): string => DOORS.find(([prefix]) => prefix.test(path))?.[1] ?? 'web';
