import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { limits } from '../limits.ts';
import type { ReadableHeaders } from './client-address.ts';

// Cross-origin access for the origins in CORS_ORIGINS, whose pages send an API key. Cookies are for Atrium's pages
// only, so no response contains `Access-Control-Allow-Credentials`.

const EXPOSED_HEADERS = [
  'content-disposition',
  'etag',
  'idempotency-replayed',
  'mcp-protocol-version',
  'retry-after',
  'www-authenticate',
  'x-request-id',
].join(', ');

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';

/** `null`, the origin of files and sandboxes, is never listed. */
export function findListedOrigin(origins: readonly string[], headers: ReadableHeaders): string | null {
  const origin = origins.length > 0 ? headers.get('origin') : null;
  return origin !== null && origins.includes(origin) ? origin : null;
}

export function buildPreflightResponse(origins: readonly string[], request: Request): Response | null {
  if (request.method !== 'OPTIONS' || !request.headers.has('access-control-request-method')) return null;
  const origin = findListedOrigin(origins, request.headers);
  if (origin === null) return null;
  // An API key is the only credential, so additional headers grant no access.
  const requestHeaders =
    request.headers.get('access-control-request-headers') ?? 'authorization, content-type';
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': ALLOWED_METHODS,
      'access-control-allow-headers': requestHeaders,
      'access-control-max-age': String(limits.http.preflightTime),
      vary: 'Origin, Access-Control-Request-Headers',
    },
  });
}

/**
 * Builds the headers that let a listed origin read a response. If any origin is listed, `Vary` makes caches store a
 * separate response for each origin.
 */
export function buildCorsHeaders(
  origins: readonly string[],
  headers: ReadableHeaders,
): Record<string, string> {
  if (origins.length === 0) return {};
  const origin = findListedOrigin(origins, headers);
  if (origin === null) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED_HEADERS,
  };
}

export function addCorsHeaders(origins: readonly string[], request: Request, response: Response): void {
  // A placeholder for streams, which write their headers themselves.
  if (response === RESPONSE_ALREADY_SENT) return;
  for (const [name, value] of Object.entries(buildCorsHeaders(origins, request.headers)))
    if (name === 'vary') response.headers.append(name, value);
    else response.headers.set(name, value);
}
