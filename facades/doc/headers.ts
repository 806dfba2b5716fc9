/** Builds JSON response headers. Responses are not cached unless `cache` is set. */
export const buildDocHeaders = (requestId: string, cache = 'no-store'): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'cache-control': cache,
  'x-request-id': requestId,
});
