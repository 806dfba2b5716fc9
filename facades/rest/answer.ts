import type { Context } from 'hono';
import type { Caller, Runtime } from '../../src/engine/ctx/runtime.ts';
import type { AppError } from '../../src/errors.ts';
import { answerable, callerOfBearer, ctxOf, readBody, requestIdOf } from '../../src/http/http.ts';
import { limits } from '../../src/limits.ts';
import { checked, checkedBody, jsonOf } from './body.ts';
import type { Endpoint } from './endpoint.ts';
import { HEADERS, refusal } from './refusals.ts';

/** Answers a request of a resource: the caller is recognised before anything else of the request is looked at. */
export async function answer(runtime: Runtime, c: Context, endpoint: Endpoint): Promise<Response> {
  const requestId = requestIdOf(c.req.raw.headers);
  try {
    const caller = await callerOfBearer(runtime, c.req.raw.headers);
    const answered = await ask(runtime, c, endpoint, caller, requestId);
    if (typeof answered === 'string')
      return new Response(answered, { headers: { ...HEADERS, 'x-request-id': requestId } });
    answered.headers.set('x-request-id', requestId);
    return answered;
  } catch (error) {
    return refusal(answerable(runtime, error, requestId), requestId);
  }
}

/** Refuses a request to an address that is none; who has no key is told only that. */
export async function refuse(runtime: Runtime, c: Context, why: AppError): Promise<Response> {
  const requestId = requestIdOf(c.req.raw.headers);
  const error = await callerOfBearer(runtime, c.req.raw.headers).then(
    () => why,
    (refused) => answerable(runtime, refused, requestId),
  );
  return refusal(error, requestId);
}

async function ask(
  runtime: Runtime,
  c: Context,
  endpoint: Endpoint,
  caller: Caller,
  requestId: string,
): Promise<string | Response> {
  const request = c.req.raw;
  return endpoint.run(ctxOf(runtime, caller, 'rest', requestId), {
    body: endpoint.body && checkedBody(endpoint.body, await jsonBody(request)),
    query: endpoint.query && checked(endpoint.query, queryOf(request.url)),
    params: c.req.param(),
    idempotencyKey: request.headers.get('idempotency-key'),
    request,
  });
}

async function jsonBody(request: Request): Promise<unknown> {
  return jsonOf(await readBody(request, limits.restBody), request.headers.get('content-type'));
}

/** Parameters by name: a text, or a list when one is given several times. */
function queryOf(url: string): Record<string, string | string[]> {
  const params = new URL(url).searchParams;
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(params.keys())) {
    const all = params.getAll(name);
    query[name] = all.length === 1 ? all[0]! : all;
  }
  return query;
}
