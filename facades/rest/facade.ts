import { type Context, Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { getRequestId } from '../../src/http/http.ts';
import { BROWSER_PAGE, BROWSER_PAGE_HEADERS, readPageFile } from './browser.ts';
import { buildDocument, getRegionName } from './doc.ts';
import { endpoints } from './endpoints/index.ts';
import { buildRestErrorResponse, createUnknownPathError, REST_HEADERS, WrongMethodError } from './errors.ts';
import { handleEndpoint, rejectEndpoint } from './handle-endpoint.ts';

export function createRestFacade(runtime: Runtime): Hono {
  const resources = new Hono({ getPath: (request) => findResourcePath(getPath(request))! });
  mountPages(resources, runtime);
  mountEndpoints(resources, runtime);
  const facade = new Hono();
  for (const path of ['/api/v1', '/api/v1/*', '/api//*', '//*']) {
    facade.all(path, (c, next) =>
      findResourcePath(c.req.path) === null ? next() : resources.fetch(c.req.raw, c.env),
    );
  }
  return facade;
}

const BASE_PATH_PATTERN = /^\/api\/v1(?:\/api)?(?:\/v1)?(?=\/|$)/;

/**
 * Returns the path of the resource, such as `/emails`, or null outside this API. The contract's URLs are
 * `{base_url}/v1/emails`, where the base ends in `/api/v1`. Its client libraries append `/api/v1/emails` to their base
 * URL, with or without a trailing slash. All of these paths identify the same resource.
 */
function findResourcePath(path: string): string | null {
  const normalizedPath = path.includes('//') ? path.replace(/\/{2,}/g, '/') : path;
  const prefix = BASE_PATH_PATTERN.exec(normalizedPath);
  if (!prefix) return null;
  const rest = normalizedPath.slice(prefix[0].length);
  return rest.length > 1 && rest.endsWith('/') ? rest.slice(0, -1) : rest || '/';
}

function mountEndpoints(app: Hono, runtime: Runtime): void {
  for (const [path, group] of Map.groupBy(endpoints, (endpoint) => toRoutePath(endpoint.path))) {
    const methods = group.map(({ method }) => method);
    for (const endpoint of group) app.on(endpoint.method, path, (c) => handleEndpoint(runtime, c, endpoint));
    app.all(path, (c) => rejectEndpoint(runtime, c, new WrongMethodError(methods)));
  }
  app.all('*', (c) => rejectEndpoint(runtime, c, createUnknownPathError()));
}

/** Converts the document's `/v1/emails/{emailId}` to the router's `/emails/:emailId`. */
const toRoutePath = (path: string): string => path.replace(/^\/v1/, '').replace(/\{(\w+)\}/g, ':$1');

function mountPages(app: Hono, runtime: Runtime): void {
  const document = buildDocument(endpoints, getRegionName(runtime.config));
  const pages: Record<string, (c: Context) => Response | Promise<Response>> = {
    '/doc': (c) =>
      new Response(document(runtime.config.publicUrl), { headers: addRequestId(c, REST_HEADERS) }),
    '/ui': (c) => new Response(BROWSER_PAGE, { headers: addRequestId(c, BROWSER_PAGE_HEADERS) }),
    '/ui/:file': servePageFile,
  };
  for (const [path, page] of Object.entries(pages)) {
    app.get(path, page);
    app.all(path, (c) =>
      buildRestErrorResponse(new WrongMethodError(['GET']), getRequestId(c.req.raw.headers)),
    );
  }
}

async function servePageFile(c: Context): Promise<Response> {
  const file = await readPageFile(c.req.param('file') ?? '');
  if (!file) return buildRestErrorResponse(createUnknownPathError(), getRequestId(c.req.raw.headers));
  const headers = {
    'content-type': file.type,
    'x-content-type-options': 'nosniff',
    'cache-control': 'public, max-age=3600',
  };
  return new Response(file.content, { headers: addRequestId(c, headers) });
}

const addRequestId = (c: Context, headers: Record<string, string>) => ({
  ...headers,
  'x-request-id': getRequestId(c.req.raw.headers),
});
