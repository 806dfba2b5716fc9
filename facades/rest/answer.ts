import type { Context } from 'hono';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { AppError } from '../../src/errors.ts';
import { answerable, callerOfBearer, ctxOf, requestIdOf } from '../../src/http/http.ts';
import { askedOf } from './asked.ts';
import type { Endpoint } from './endpoint.ts';
import { HEADERS, restRefusal } from './refusals.ts';

/** Answers a request to a resource. The caller is authenticated before anything else of the request is read. */
export async function answerEndpoint(runtime: Runtime, c: Context, endpoint: Endpoint): Promise<Response> {
  const requestId = requestIdOf(c.req.raw.headers);
  try {
    const caller = await callerOfBearer(runtime, c.req.raw.headers);
    const asked = await askedOf(endpoint, c);
    const answered = await endpoint.run(ctxOf(runtime, caller, 'rest', requestId), asked);
    if (typeof answered === 'string')
      return new Response(answered, { headers: { ...HEADERS, 'x-request-id': requestId } });
    answered.headers.set('x-request-id', requestId);
    return answered;
  } catch (error) {
    return restRefusal(answerable(runtime, error, requestId), requestId);
  }
}

/** Refuses a request to an unknown address. Without a valid key the answer is 401, whatever the address. */
export async function refuseEndpoint(runtime: Runtime, c: Context, why: AppError): Promise<Response> {
  const requestId = requestIdOf(c.req.raw.headers);
  const error = await callerOfBearer(runtime, c.req.raw.headers).then(
    () => why,
    (refused) => answerable(runtime, refused, requestId),
  );
  return restRefusal(error, requestId);
}
