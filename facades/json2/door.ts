import { Hono } from 'hono';
import type { Runtime } from '../../src/engine/runtime.ts';
import { errors } from '../../src/errors.ts';
import { answerable, ctxOf, readBody, requestIdOf } from '../../src/http.ts';
import { limits } from '../../src/limits.ts';
import { type Answer, answerCall } from './call.ts';
import { callerAt, checkDatabase } from './credential.ts';
import { HEADERS, refusal, wrongAddress, wrongType } from './refusals.ts';

/** `POST /json/2/<model>/<method>`: named arguments in, the method's raw return value out. */
export function json2Door(runtime: Runtime): Hono {
  const app = new Hono();
  app.post('/json/2/:model/:method', async (c) => {
    const requestId = requestIdOf(c.req.raw.headers);
    try {
      const { model, method } = c.req.param();
      const { body, replayed } = await answer(runtime, c.req.raw, model, method, requestId);
      const repeated: Record<string, string> = replayed ? { 'idempotency-replayed': 'true' } : {};
      return new Response(body, { headers: { ...HEADERS, ...repeated, 'x-request-id': requestId } });
    } catch (error) {
      return refusal(answerable(runtime, error, requestId), requestId);
    }
  });
  app.all('/json/2', (c) => refusal(wrongAddress(), requestIdOf(c.req.raw.headers)));
  app.all('/json/2/*', (c) => refusal(wrongAddress(), requestIdOf(c.req.raw.headers)));
  return app;
}

/** The order of the checks is the one clients know: database, content type, key, body, then the call's own. */
async function answer(
  runtime: Runtime,
  request: Request,
  model: string,
  method: string,
  requestId: string,
): Promise<Answer> {
  const { headers } = request;
  await checkDatabase(runtime, headers);
  checkType(headers);
  const caller = await callerAt(runtime, headers);
  const named = namedArguments(await readBody(request, limits.json2Body));
  const ctx = ctxOf(runtime, caller, 'json', requestId);
  return answerCall(ctx, { model, method, named }, headers.get('idempotency-key'));
}

/** Without a body the type does not matter. */
function checkType(headers: Headers): void {
  const isEmpty = !headers.has('transfer-encoding') && Number(headers.get('content-length') ?? 0) === 0;
  if (!isEmpty && !/^application\/json\s*(;|$)/i.test(headers.get('content-type') ?? '')) throw wrongType();
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** A body that is JSON but no object counts as no arguments. */
function namedArguments(body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch (error) {
    throw errors.badRequest(`could not parse the body as json: ${(error as Error).message}`);
  }
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
