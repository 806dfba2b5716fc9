import { Hono } from 'hono';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { AppError } from '../../src/errors.ts';
import { type Body, readBody } from '../../src/http/body.ts';
import { answerOr, ctxOf, requestIdOf } from '../../src/http/http.ts';
import { isJson, jsonOf, refusal } from '../../src/http/json-api.ts';
import { isObject } from '../../src/json.ts';
import { limits } from '../../src/limits.ts';
import { answerCall, type Json2Answer } from './call.ts';
import { callerAt, checkDatabase } from './credential.ts';
import { wrongAddress, wrongType } from './refusals.ts';

/** `POST /json/2/<model>/<method>`: named arguments in, the method's raw return value out. */
export function json2Door(runtime: Runtime): Hono {
  const app = new Hono();
  app.post('/json/2/:model/:method', (c) =>
    answerOr(runtime, c.req.raw.headers, refused, async (requestId) => {
      const { model, method } = c.req.param();
      const { body, replayed } = await answer(runtime, c.req.raw, model, method, requestId);
      const repeated: Record<string, string> = replayed ? { 'idempotency-replayed': 'true' } : {};
      return new Response(body, { headers: { ...headersOf(requestId), ...repeated } });
    }),
  );
  // A route for all the rest would be looked at with each call as well.
  app.notFound((c) => refused(wrongAddress(), requestIdOf(c.req.raw.headers)));
  return app;
}

const headersOf = (requestId: string): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'x-request-id': requestId,
});

const refused = (error: AppError, requestId: string): Response => refusal(error, headersOf(requestId));

/** The order of the checks is the one clients know: database, content type, key, body, then the call's own. */
async function answer(
  runtime: Runtime,
  request: Request,
  model: string,
  method: string,
  requestId: string,
): Promise<Json2Answer> {
  const { headers } = request;
  await checkDatabase(runtime, headers);
  checkType(headers);
  const caller = await callerAt(runtime, headers);
  const named = await namedArguments(
    await readBody(request, { most: limits.json2.body, holder: caller.workspace.id }),
  );
  const ctx = ctxOf(runtime, caller, 'json', requestId, headers);
  return answerCall(ctx, { model, method, named }, headers.get('idempotency-key'));
}

/** Without a body the type does not matter. */
function checkType(headers: Headers): void {
  const isEmpty = !headers.has('transfer-encoding') && Number(headers.get('content-length') ?? 0) === 0;
  if (!isEmpty && !isJson(headers)) throw wrongType();
}

/** A body that is JSON but no object counts as no arguments. */
async function namedArguments(body: Body): Promise<Record<string, unknown>> {
  const value = await jsonOf(body);
  return isObject(value) ? value : {};
}
