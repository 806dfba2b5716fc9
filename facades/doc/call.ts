import { callMethod } from '../../src/engine/call.ts';
import { RawJson } from '../../src/engine/records.ts';
import type { Runtime } from '../../src/engine/runtime.ts';
import { errors } from '../../src/errors.ts';
import { callerOf, ctxOf, readBody, sameOrigin } from '../../src/http.ts';
import { limits } from '../../src/limits.ts';
import { JSON_HEADERS } from './refusal.ts';

/**
 * What `POST /json/2/<model>/<method>` answers, for the session of the page: that door takes keys alone. The content
 * type is one that no form of another site can send.
 * @throws AppError: NOT_ALLOWED from another origin, and whatever the method refuses
 */
export async function callAsSession(
  runtime: Runtime,
  request: Request,
  model: string,
  method: string,
  requestId: string,
): Promise<Response> {
  const { headers } = request;
  if (!sameOrigin(runtime, headers)) throw errors.notAllowed('A session is only taken from our own pages.');
  if (!/^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? ''))
    throw errors.badRequest('The body must be JSON, sent with Content-Type: application/json.');
  const caller = await callerOf(runtime, headers);
  if (!caller) throw errors.noCredential();
  const named = namedArguments(await readBody(request, limits.jsonBody));
  const result = await callMethod(ctxOf(runtime, caller, 'web', requestId), model, method, named);
  const text = result instanceof RawJson ? result.text : JSON.stringify(result ?? null);
  return new Response(text, {
    headers: { ...JSON_HEADERS, 'cache-control': 'no-store', 'x-request-id': requestId },
  });
}

function namedArguments(body: Buffer): Record<string, unknown> {
  const value = parsed(body.toString('utf8') || '{}');
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw errors.badRequest('The arguments are an object: name to value.');
  return value as Record<string, unknown>;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw errors.badRequest(`could not parse the body as json: ${(error as Error).message}`);
  }
}
