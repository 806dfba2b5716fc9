import { callMethod } from '../../src/engine/operation/call.ts';
import { errors } from '../../src/errors.ts';
import { type RequestBody, readBody } from '../../src/http/body.ts';
import { authenticateCaller, isSameOrigin } from '../../src/http/http.ts';
import { formatResult, hasJsonBody, parseJsonBody } from '../../src/http/json-api.ts';
import { createVisitCtx, type Visit } from '../../src/http/visit.ts';
import { isObject } from '../../src/json.ts';
import { limits } from '../../src/limits.ts';
import { buildDocHeaders } from './headers.ts';

/**
 * Runs `POST /json/2/<model>/<method>` on behalf of the page's session, because that facade accepts only keys. Requires
 * a content type that HTML forms on other sites can't send.
 * @throws AppError: FORBIDDEN for another origin, or any error of the method
 */
export async function callAsSession(visit: Visit): Promise<Response> {
  const { runtime, request, requestId, params } = visit;
  const { headers } = request;
  if (!isSameOrigin(runtime, headers))
    throw errors.notAllowed(
      "Session cookies are only accepted from this server's own pages. Use an API key.",
    );
  if (!hasJsonBody(headers))
    throw errors.badRequest('The body must be JSON, sent with Content-Type: application/json.');
  const caller = await authenticateCaller(runtime, headers, 'web');
  if (!caller) throw errors.noCredential();
  const namedArgs = await parseNamedArguments(
    await readBody(request, { maxBytes: limits.http.jsonBody, owner: caller.workspace.id }),
  );
  const ctx = createVisitCtx(visit, caller);
  const result = await callMethod(ctx, params.model!, params.method!, namedArgs);
  return new Response(formatResult(result), { headers: buildDocHeaders(requestId) });
}

async function parseNamedArguments(body: RequestBody): Promise<Record<string, unknown>> {
  const value = await parseJsonBody(body);
  if (!isObject(value)) throw errors.badRequest('The arguments must be an object that maps names to values.');
  return value;
}
