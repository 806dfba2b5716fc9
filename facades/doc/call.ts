import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { callMethod } from '../../src/engine/verb/call.ts';
import { errors } from '../../src/errors.ts';
import { type Body, readBody } from '../../src/http/body.ts';
import { callerOf, ctxOf, sameOrigin } from '../../src/http/http.ts';
import { isJson, jsonOf, jsonText } from '../../src/http/json-api.ts';
import { isObject } from '../../src/json.ts';
import { limits } from '../../src/limits.ts';
import { docHeaders } from './headers.ts';

/**
 * What `POST /json/2/<model>/<method>` answers, for the session of the page: that door takes keys alone. The content
 * type is one that no form of another site can send.
 * @throws AppError: FORBIDDEN from another origin, and whatever the method refuses
 */
export async function callAsSession(
  runtime: Runtime,
  request: Request,
  model: string,
  method: string,
  requestId: string,
): Promise<Response> {
  const { headers } = request;
  if (!sameOrigin(runtime, headers))
    throw errors.notAllowed("Session cookies are only accepted from this server's own pages.");
  if (!isJson(headers))
    throw errors.badRequest('The body must be JSON, sent with Content-Type: application/json.');
  const caller = await callerOf(runtime, headers, 'web');
  if (!caller) throw errors.noCredential();
  const named = await namedArguments(
    await readBody(request, { most: limits.http.jsonBody, holder: caller.workspace.id }),
  );
  const result = await callMethod(ctxOf(runtime, caller, 'web', requestId, headers), model, method, named);
  return new Response(jsonText(result), { headers: docHeaders(requestId) });
}

async function namedArguments(body: Body): Promise<Record<string, unknown>> {
  const value = await jsonOf(body);
  if (!isObject(value)) throw errors.badRequest('The arguments are an object: name to value.');
  return value;
}
