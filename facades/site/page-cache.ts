import type { IncomingMessage, ServerResponse } from 'node:http';
import { memoizePerObject } from '../../src/cache.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { ReadableHeaders } from '../../src/http/client-address.ts';
import { getRequestId, hasSessionCookie, matchesEtag } from '../../src/http/http.ts';
import { type FinishedPage, getFinishedPages } from '../../src/site/finished-pages.ts';

// Public pages are written directly to the connection, without `Request`, the router or the facades.

/** Excludes the query, because pages do not depend on it. */
export const buildPageKey = (host: string | null | undefined, path: string): string =>
  `${host ?? ''} ${path}`;

interface CachedPage {
  page: FinishedPage;
  path: string;
}

/**
 * Returns the cached page for a request. Null if it is not cached, or if the facades must handle the request because it
 * has a credential, a body or several Host headers.
 */
export function findCachedPage(runtime: Runtime, message: IncomingMessage): CachedPage | null {
  const { method, url = '', headers, rawHeaders } = message;
  if (method !== 'GET' && method !== 'HEAD') return null;
  const query = url.indexOf('?');
  const path = query < 0 ? url : url.slice(0, query);
  const page = getFinishedPages(runtime.db).peek(buildPageKey(headers.host, path));
  if (!page || headers.authorization !== undefined || hasSessionCookie(headers.cookie)) return null;
  if (Number(headers['content-length'] ?? 0) !== 0 || headers['transfer-encoding'] !== undefined) return null;
  return hasSingleHost(rawHeaders) ? { page, path } : null;
}

/** Node uses the first of several Host headers, while other servers may use another (RFC 9112, section 3.2). */
function hasSingleHost(rawHeaders: string[]): boolean {
  let hosts = 0;
  for (let start = 0; start < rawHeaders.length; start += 2)
    if (rawHeaders[start]!.length === 4 && rawHeaders[start]!.toLowerCase() === 'host') hosts++;
  return hosts < 2;
}

/** Writes the page in one call, or 304 if the client already has it. @param extra additional headers */
export function writePage(
  { status, headers, body }: FinishedPage,
  { method, headers: requestHeaders }: { method: string; headers: ReadableHeaders },
  extra: Record<string, string>,
  outgoingResponse: ServerResponse,
): void {
  const headerLines = [
    'x-request-id',
    getRequestId(requestHeaders),
    ...getLines(headers),
    ...Object.entries(extra).flat(),
  ];
  const tags = requestHeaders.get('if-none-match');
  if (tags !== null && headers.etag && matchesEtag(tags, headers.etag)) {
    outgoingResponse.writeHead(304, headerLines).end();
    return;
  }
  headerLines.push('content-length', String(body.length));
  outgoingResponse.writeHead(status, headerLines).end(method === 'HEAD' ? '' : body, 'latin1');
}

const getLines = memoizePerObject((headers: Record<string, string>) => Object.entries(headers).flat());
