import type { IncomingMessage, ServerResponse } from 'node:http';
import { memoizePerObject } from '../../src/cache.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { ReadableHeaders } from '../../src/http/client-address.ts';
import { getRequestId, hasSessionCookie, matchesEtag } from '../../src/http/http.ts';
import { type FinishedPage, getFinishedPages } from '../../src/site/finished-pages.ts';

// Pages that are the same for everyone, on the connection itself: no `Request`, router or door in between.

/** The name under which a page is kept. No page depends on the query. */
export const buildPageKey = (host: string | null | undefined, path: string): string =>
  `${host ?? ''} ${path}`;

/** A page with the path that it was asked for at. */
interface CachedPage {
  page: FinishedPage;
  path: string;
}

/**
 * The page from memory that a request may have; null where it is not there, or the doors have to look at the request:
 * someone may be signed in, something comes along in a body, or two hosts are named.
 */
export function findCachedPage(runtime: Runtime, incoming: IncomingMessage): CachedPage | null {
  const { method, url = '', headers, rawHeaders } = incoming;
  if (method !== 'GET' && method !== 'HEAD') return null;
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const page = getFinishedPages(runtime.db).peek(buildPageKey(headers.host, path));
  if (!page || headers.authorization !== undefined || hasSessionCookie(headers.cookie)) return null;
  if (Number(headers['content-length'] ?? 0) !== 0 || headers['transfer-encoding'] !== undefined) return null;
  return hasSingleHost(rawHeaders) ? { page, path } : null;
}

/** Node takes the first of several, which other programs may not have meant (RFC 9112, section 3.2). */
function hasSingleHost(rawHeaders: string[]): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]!.length === 4 && rawHeaders[at]!.toLowerCase() === 'host') hosts++;
  return hosts < 2;
}

/** Writes the page with one call, or 304 to a visitor who has it. @param more headers beside those of the page */
export function writePage(
  { status, headers, body }: FinishedPage,
  { method, headers: asked }: { method: string; headers: ReadableHeaders },
  more: Record<string, string>,
  outgoing: ServerResponse,
): void {
  const own = ['x-request-id', getRequestId(asked), ...linesOf(headers), ...Object.entries(more).flat()];
  const tags = asked.get('if-none-match');
  if (tags !== null && headers.etag && matchesEtag(tags, headers.etag)) {
    outgoing.writeHead(304, own).end();
    return;
  }
  own.push('content-length', String(body.length));
  outgoing.writeHead(status, own).end(method === 'HEAD' ? '' : body, 'latin1');
}

const linesOf = memoizePerObject((headers: Record<string, string>) => Object.entries(headers).flat());
