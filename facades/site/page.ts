import { createHash } from 'node:crypto';
import { decodeUriOrKeep } from '../../src/decode-uri.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { call } from '../../src/engine/operation/call.ts';
import { createPublicCtx } from '../../src/http/guest.ts';
import {
  authenticateSession,
  getRequestId,
  getUrlPath,
  hasSessionCookie,
  matchesEtag,
} from '../../src/http/http.ts';
import { createVisitCtx, type Visit } from '../../src/http/visit.ts';
import { type FinishedPage, getFinishedPages } from '../../src/site/finished-pages.ts';
import { buildPageHeaders } from './headers.ts';
import type { SiteLocation } from './location.ts';
import { buildPageKey } from './page-cache.ts';

interface SiteResponse extends FinishedPage {
  live: boolean;
}

const buildRequestKey = ({ headers, url }: Request): string =>
  buildPageKey(headers.get('host'), getUrlPath(url));

const isPublicRequest = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  !headers.has('authorization') &&
  !hasSessionCookie(headers.get('cookie'));

/** Returns null if the page is not cached, or if the caller may see a different one. */
export function respondFromCache(runtime: Runtime, request: Request): Response | null {
  const page = isPublicRequest(request) && getFinishedPages(runtime.db).peek(buildRequestKey(request));
  return page ? buildPageResponse(request, page, getRequestId(request.headers)) : null;
}

export async function loadSiteResponse(visit: Visit, location: SiteLocation): Promise<SiteResponse | null> {
  const { runtime, request } = visit;
  if (!isPublicRequest(request)) return renderSite(visit, location).then((site) => site?.page ?? null);
  let renderedHere: RenderedSite | null = null;
  const cachedPage = await getFinishedPages(runtime.db).get(buildRequestKey(request), async () => {
    renderedHere = await renderSite(visit, location);
    return renderedHere?.keptUntil ? { value: renderedHere.page, expires: renderedHere.keptUntil } : null;
  });
  if (cachedPage) return { ...cachedPage, live: true };
  // Renders the page again if a concurrent request has rendered a response that is not public.
  renderedHere ??= await renderSite(visit, location);
  return renderedHere?.page ?? null;
}

interface RenderedSite {
  page: SiteResponse;
  keptUntil: number | null;
}

async function renderSite(visit: Visit, siteLocation: SiteLocation): Promise<RenderedSite | null> {
  const ctx = await createSiteCtx(visit, siteLocation);
  if (!ctx) return null;
  const { root, host, websiteId, path } = siteLocation;
  const rendered = await call(ctx, 'websiteVisit', { root, host, websiteId, path: decodeUriOrKeep(path) });
  if (!rendered) return null;
  const { status, location, keptUntil, live } = rendered;
  const bytes = Buffer.from(rendered.body);
  const body = bytes.toString('latin1');
  const headers = buildPageHeaders(siteLocation, rendered.scripts, rendered.contentType);
  if (location) headers.location = encodeURI(location).replace(/%25([0-9a-f]{2})/gi, '%$1');
  const page = { workspaceId: ctx.workspace.id, status, body, live, headers };
  headers['cache-control'] = keptUntil ? 'public, no-cache' : 'private, no-store';
  if (keptUntil) headers.etag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
  return { page, keptUntil };
}

/** Users signed in to the workspace keep their rights. All other visitors are anonymous. */
async function createSiteCtx(visit: Visit, { slug }: SiteLocation): Promise<Ctx | null> {
  const { runtime, request, requestId } = visit;
  const caller =
    hasSessionCookie(request.headers.get('cookie')) && (await authenticateSession(runtime, request.headers));
  return caller && caller.workspace.slug === slug
    ? createVisitCtx(visit, caller)
    : createPublicCtx(runtime, slug, requestId);
}

export function buildPageResponse(
  request: Request,
  { status, headers, body }: FinishedPage,
  requestId: string,
): Response {
  const responseHeaders = { ...headers, 'x-request-id': requestId };
  if (headers.etag && matchesEtag(request.headers.get('if-none-match'), headers.etag))
    return new Response(null, { status: 304, headers: responseHeaders });
  return new Response(request.method === 'HEAD' ? null : Buffer.from(body, 'latin1'), {
    status,
    headers: responseHeaders,
  });
}
