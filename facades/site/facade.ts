import { type Context, Hono, type Next } from 'hono';
import { html } from 'hono/html';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { type AppError, errors } from '../../src/errors.ts';
import { getRequestId, matchesEtag, type RequestHandler, respondOrReject } from '../../src/http/http.ts';
import { prefersHtml, READER_FRAME, renderHtmlPage } from '../../src/http/page.ts';
import type { Visit } from '../../src/http/visit.ts';
import { getFinishedPages, SITE_INVALIDATION_CHANNEL } from '../../src/site/finished-pages.ts';
import { receiveForm } from './form.ts';
import { findSiteOfHost, parseSitePath, type SiteLocation } from './location.ts';
import { buildPageResponse, loadSiteResponse, respondFromCache } from './page.ts';
import { serveSitePreview } from './preview.ts';
import { SITE_THEME } from './theme.ts';

// Serves workspace websites on their own hosts and below /site/<workspace> on the public host.

/** Serves sites below /site, such as `/site/main/about`. */
export function createSitePathFacade(runtime: Runtime): RequestHandler {
  return {
    fetch: (request) =>
      respondFromCache(runtime, request) ??
      withErrorResponse(runtime, request, async (visit) => {
        const location = parseSitePath(runtime, request);
        if (!location) throw errors.notFound('Website');
        return (await serveSite(visit, location)) ?? throwNotFound(request);
      }),
  };
}

/** Serves sites on their own hosts. Other facades' paths take precedence. */
export function createSiteHostFacade(runtime: Runtime): Hono {
  followInvalidations(runtime);
  const app = new Hono();
  app.get('/', (c, next) => serveAtHost(runtime, c, next, true));
  app.get('*', (c, next) => serveAtHost(runtime, c, next, false));
  app.post('/website/form', (c, next) => serveAtHost(runtime, c, next, true));
  return app;
}

/** Disables the page cache while the process receives no invalidations. */
function followInvalidations({ db }: Runtime): void {
  const pages = getFinishedPages(db);
  db.onListening(pages.setEnabled);
  db.listen(SITE_INVALIDATION_CHANNEL, (payload) =>
    pages.invalidate(({ workspaceId }) => workspaceId === Number(payload)),
  ).then(
    () => pages.setEnabled(true),
    // Pages are rendered for each request until `onListening` reports that invalidations arrive.
    () => undefined,
  );
}

/** @param isFirst true if the site takes precedence over the other facades */
async function serveAtHost(
  runtime: Runtime,
  c: Context,
  next: Next,
  isFirst: boolean,
): Promise<Response | undefined> {
  const request = c.req.raw;
  const { facade } = c.env;
  // No other facade handles this path: all of them were tried before the page was cached.
  const cachedResponse = respondFromCache(runtime, request);
  if (cachedResponse) return cachedResponse;
  if (!isFirst) {
    await next();
    if (c.res.status !== 404) return undefined;
  }
  const location = await findSiteOfHost(runtime, request, getRequestId(request.headers)).catch(() => null);
  if (!location) {
    if (isFirst) await next();
    return undefined;
  }
  const result = await withErrorResponse(
    runtime,
    request,
    async (visit) => (await serveSite(visit, location)) ?? NOT_FOUND,
  );
  if (result !== NOT_FOUND) {
    // Restores this facade, because the facades that were tried have replaced it.
    c.env.facade = facade;
    c.res = undefined;
    c.res = result;
    return undefined;
  }
  if (isFirst) await next();
  return undefined;
}

const NOT_FOUND = new Response(null, { status: 404 });

async function serveSite(visit: Visit, location: SiteLocation): Promise<Response | null> {
  const { request, requestId } = visit;
  if (request.method === 'POST' && location.path === '/website/form') return receiveForm(visit, location);
  if (request.method === 'POST' && location.isShared && location.path === '/website/preview')
    return serveSitePreview(visit, location);
  if (request.method !== 'GET' && request.method !== 'HEAD') return null;
  if (location.path === '/website/theme.css') return serveTheme(request, requestId);
  const response = await loadSiteResponse(visit, location);
  // A site without a published page counts as absent. API clients don't need the HTML 404 page.
  if (!response || (response.status === 404 && (!response.live || !prefersHtml(request.headers))))
    return null;
  return buildPageResponse(request, response, requestId);
}

function serveTheme(request: Request, requestId: string): Response {
  const headers = { ...SITE_THEME.headers, 'x-request-id': requestId };
  return matchesEtag(request.headers.get('if-none-match'), SITE_THEME.headers.etag)
    ? new Response(null, { status: 304, headers })
    : new Response(SITE_THEME.text, { headers });
}

const withErrorResponse = (
  runtime: Runtime,
  request: Request,
  handle: (visit: Visit) => Promise<Response>,
): Promise<Response> =>
  respondOrReject(
    runtime,
    request.headers,
    (error, requestId) => buildErrorResponse(request, error, requestId),
    (requestId) => handle({ runtime, request, requestId, params: {} }),
  );

const throwNotFound = ({ url }: Request): never => {
  throw errors.notFound(new URL(url).pathname.slice(0, 200));
};

function buildErrorResponse({ headers }: Request, error: AppError, requestId: string): Response {
  if (!prefersHtml(headers))
    return Response.json(
      { error: { code: error.kind, message: error.message } },
      { status: error.status, headers: { 'x-request-id': requestId } },
    );
  const body = html`<h1>${error.status}</h1><p>${error.message}</p>`;
  return renderHtmlPage(String(error.status), body, requestId, { ...READER_FRAME, status: error.status });
}
