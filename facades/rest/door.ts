import { type Context, Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { getRequestId } from '../../src/http/http.ts';
import { answerEndpoint, refuseEndpoint } from './answer.ts';
import { PAGE, PAGE_HEADERS, pageFile } from './browser.ts';
import { documentOf } from './doc.ts';
import { endpoints } from './endpoints/index.ts';
import { regionOf } from './operation-texts.ts';
import { HEADERS, restRefusal, unknownPath, WrongMethod } from './refusals.ts';

/** The email REST API under `/api/v1` and its alias paths, with its OpenAPI document and a page to try it. */
export function restDoor(runtime: Runtime): Hono {
  const resources = new Hono({ getPath: (request) => resourceOf(getPath(request))! });
  mountPages(resources, runtime);
  mountEndpoints(resources, runtime);
  const door = new Hono();
  for (const path of ['/api/v1', '/api/v1/*', '/api//*', '//*']) {
    door.all(path, (c, next) =>
      resourceOf(c.req.path) === null ? next() : resources.fetch(c.req.raw, c.env),
    );
  }
  return door;
}

const READINGS = /^\/api\/v1(?:\/api)?(?:\/v1)?(?=\/|$)/;

/**
 * The resource a path names, such as `/emails`; null outside of this API. The contract writes `{base_url}/v1/emails`
 * with a base that ends in `/api/v1`; its client libraries append `/api/v1/emails` to their base URL, with or
 * without a trailing slash. All of these paths name the same resource.
 */
function resourceOf(path: string): string | null {
  const plain = path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
  const prefix = READINGS.exec(plain);
  if (!prefix) return null;
  const rest = plain.slice(prefix[0].length);
  return rest.length > 1 && rest.endsWith('/') ? rest.slice(0, -1) : rest || '/';
}

function mountEndpoints(app: Hono, runtime: Runtime): void {
  for (const [path, group] of Map.groupBy(endpoints, (endpoint) => resourcePath(endpoint.route.path))) {
    const methods = group.map((endpoint) => endpoint.route.method.toUpperCase());
    for (const endpoint of group)
      app.on(endpoint.route.method.toUpperCase(), path, (c) => answerEndpoint(runtime, c, endpoint));
    app.all(path, (c) => refuseEndpoint(runtime, c, new WrongMethod(methods)));
  }
  app.all('*', (c) => refuseEndpoint(runtime, c, unknownPath()));
}

/** Turns the document's `/v1/emails/{emailId}` into the router's `/emails/:emailId`. */
const resourcePath = (path: string): string => path.replace(/^\/v1/, '').replace(/\{(\w+)\}/g, ':$1');

/** Pages that need no key. */
function mountPages(app: Hono, runtime: Runtime): void {
  const document = documentOf(endpoints, regionOf(runtime.config));
  const pages: Record<string, (c: Context) => Response | Promise<Response>> = {
    '/doc': (c) => new Response(document(runtime.config.publicUrl), { headers: named(c, HEADERS) }),
    '/ui': (c) => new Response(PAGE, { headers: named(c, PAGE_HEADERS) }),
    '/ui/:file': fileOfPage,
  };
  for (const [path, page] of Object.entries(pages)) {
    app.get(path, page);
    app.all(path, (c) => restRefusal(new WrongMethod(['GET']), getRequestId(c.req.raw.headers)));
  }
}

async function fileOfPage(c: Context): Promise<Response> {
  const file = await pageFile(c.req.param('file') ?? '');
  if (!file) return restRefusal(unknownPath(), getRequestId(c.req.raw.headers));
  const headers = {
    'content-type': file.type,
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=3600',
  };
  return new Response(file.content, { headers: named(c, headers) });
}

const named = (c: Context, headers: Record<string, string>) => ({
  ...headers,
  'x-request-id': getRequestId(c.req.raw.headers),
});
