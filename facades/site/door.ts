import { type Context, Hono, type Next } from 'hono';
import { html } from 'hono/html';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { type AppError, errors } from '../../src/errors.ts';
import { getRequestId, matchesEtag, type RequestHandler, respondOr } from '../../src/http/http.ts';
import { prefersHtml, READER_FRAME, renderHtmlPage } from '../../src/http/page.ts';
import { getFinishedPages, SITE_INVALIDATION_CHANNEL } from '../../src/site/finished-pages.ts';
import { takeForm } from './form.ts';
import { answerOf, keptPage, respond } from './page.ts';
import { placeOfHost, placeOfPath, type SitePlace } from './place.ts';
import { sitePreview } from './preview.ts';
import { THEME } from './theme.ts';

// Websites of workspaces: at their own hosts, and below /site/<workspace> of the public one.

/** The sites below /site: `/site/main/about`. */
export function sitePathDoor(runtime: Runtime): RequestHandler {
  return {
    fetch: (request) =>
      keptPage(runtime, request) ??
      answering(runtime, request, async (requestId) => {
        const place = placeOfPath(runtime, request);
        if (!place) throw errors.notFound('Website');
        return (await siteResponse(runtime, request, place, requestId)) ?? notFound(request);
      }),
  };
}

/** The sites at hosts of their own. What another door answers there stays that door's. */
export function siteHostDoor(runtime: Runtime): Hono {
  followNews(runtime);
  const app = new Hono();
  app.get('/', (c, next) => atHost(runtime, c, next, true));
  app.get('*', (c, next) => atHost(runtime, c, next, false));
  app.post('/website/form', (c, next) => atHost(runtime, c, next, true));
  return app;
}

/** Nothing is kept while the process cannot hear of changes. */
function followNews({ db }: Runtime): void {
  const pages = getFinishedPages(db);
  db.onListening(pages.setEnabled);
  db.listen(SITE_INVALIDATION_CHANNEL, (payload) =>
    pages.invalidate(({ workspaceId }) => workspaceId === Number(payload)),
  ).then(
    () => pages.setEnabled(true),
    // Pages are made each time until `onListening` says that news are heard.
    () => undefined,
  );
}

/** @param isFirst whether the site is asked before the other doors */
async function atHost(
  runtime: Runtime,
  c: Context,
  next: Next,
  isFirst: boolean,
): Promise<Response | undefined> {
  const request = c.req.raw;
  const { door } = c.env;
  // What is kept of a host has been asked of the other doors before.
  const kept = keptPage(runtime, request);
  if (kept) return kept;
  if (!isFirst) {
    await next();
    if (c.res.status !== 404) return undefined;
  }
  const place = await placeOfHost(runtime, request, getRequestId(request.headers)).catch(() => null);
  if (!place) {
    if (isFirst) await next();
    return undefined;
  }
  const answer = await answering(runtime, request, async (requestId) => {
    const found = await siteResponse(runtime, request, place, requestId);
    return found ?? NONE;
  });
  if (answer !== NONE) {
    // Doors that were asked in between have written themselves in.
    c.env.door = door;
    c.res = undefined;
    c.res = answer;
    return undefined;
  }
  if (isFirst) await next();
  return undefined;
}

/** Stands for an answer that the site does not give. */
const NONE = new Response(null, { status: 404 });

async function siteResponse(
  runtime: Runtime,
  request: Request,
  place: SitePlace,
  requestId: string,
): Promise<Response | null> {
  if (request.method === 'POST' && place.path === '/website/form')
    return takeForm(runtime, request, place, requestId);
  if (request.method === 'POST' && place.isShared && place.path === '/website/preview')
    return sitePreview(runtime, request, place, requestId);
  if (request.method !== 'GET' && request.method !== 'HEAD') return null;
  if (place.path === '/website/theme.css') return theme(request, requestId);
  const answer = await answerOf(runtime, request, place, requestId);
  // A site without a published page is none yet, and programs do not read its page about what is missing.
  if (!answer || (answer.status === 404 && (!answer.live || !prefersHtml(request.headers)))) return null;
  return respond(request, answer, requestId);
}

function theme(request: Request, requestId: string): Response {
  const headers = { ...THEME.headers, 'x-request-id': requestId };
  return matchesEtag(request.headers.get('if-none-match'), THEME.headers.etag)
    ? new Response(null, { status: 304, headers })
    : new Response(THEME.text, { headers });
}

const answering = (
  runtime: Runtime,
  request: Request,
  handle: (requestId: string) => Promise<Response>,
): Promise<Response> =>
  respondOr(runtime, request.headers, (error, requestId) => refusal(request, error, requestId), handle);

const notFound = ({ url }: Request): never => {
  throw errors.notFound(new URL(url).pathname.slice(0, 200));
};

function refusal({ headers }: Request, error: AppError, requestId: string): Response {
  if (!prefersHtml(headers))
    return Response.json(
      { error: { code: error.kind, message: error.message } },
      { status: error.status, headers: { 'x-request-id': requestId } },
    );
  const body = html`<h1>${error.status}</h1><p>${error.message}</p>`;
  return renderHtmlPage(String(error.status), body, requestId, { ...READER_FRAME, status: error.status });
}
