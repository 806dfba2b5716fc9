import type { AppError } from '../../src/errors.ts';

export const JSON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

/** A refusal as the JSON API words it: five keys in the order clients know, no trace. */
export function refusal(error: AppError, requestId: string): Response {
  const status = error.kind === 'NOT_UNIQUE' ? 422 : error.status;
  const isHttp = error.odooName.startsWith('werkzeug.');
  const body = {
    name: error.odooName,
    message: error.message,
    arguments: isHttp ? [error.message, status] : [error.message],
    context: {},
    debug: '',
  };
  const headers: Record<string, string> = {
    ...JSON_HEADERS,
    'cache-control': 'no-store',
    'x-request-id': requestId,
  };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  return new Response(JSON.stringify(body), { status, headers });
}
