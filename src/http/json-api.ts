import { RawJson } from '../engine/value/raw-json.ts';
import { AppError, errors } from '../errors.ts';
import { parseBody, type RequestBody } from './body.ts';
import { getExceptionName } from './exceptions.ts';

export const JSON_MEDIA_TYPE = 'application/json';

/** HTML forms on other sites cannot send this type. */
export const hasJsonBody = (headers: Headers): boolean =>
  /^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '');

/**
 * An empty body means no arguments.
 * @throws BAD_REQUEST for invalid JSON
 */
export async function parseJsonBody(body: RequestBody): Promise<unknown> {
  if (body.bytes.length === 0) return {};
  try {
    return await parseBody(body);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw errors.badRequest(`could not parse the body as json: ${(error as Error).message}`);
  }
}

export const formatResult = (result: unknown): string =>
  result instanceof RawJson ? result.text : JSON.stringify(result ?? null);

/**
 * Builds an error response with five keys, in the order that clients expect. In this API, a uniqueness error is a
 * client error like any other (422), and the response never contains a stack trace.
 * @param headers headers of the facade
 */
export function buildErrorResponse(error: AppError, headers: Record<string, string>): Response {
  const status = error.kind === 'NOT_UNIQUE' ? 422 : error.status;
  const exception = getExceptionName(error);
  const isHttp = exception.startsWith('werkzeug.');
  const body = {
    name: exception,
    message: error.message,
    arguments: isHttp ? [error.message, status] : [error.message],
    context: {},
    debug: '',
  };
  const extra: Record<string, string> = {};
  if (status === 401) extra['www-authenticate'] = 'Bearer';
  if (status === 415) extra.accept = JSON_MEDIA_TYPE;
  if (status === 409 || status === 503) extra['retry-after'] = '1';
  return new Response(JSON.stringify(body), { status, headers: { ...headers, ...extra } });
}
