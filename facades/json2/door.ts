import { Hono } from 'hono';
import { callMethod } from '../../src/engine/call.ts';
import { RawJson } from '../../src/engine/records.ts';
import type { Runtime } from '../../src/engine/runtime.ts';
import { type AppError, errors } from '../../src/errors.ts';
import { answerable, callerOfBearer, ctxOf, readBody, requestIdOf } from '../../src/http.ts';
import { limits } from '../../src/limits.ts';

const HEADERS = { 'content-type': 'application/json; charset=utf-8', 'x-content-type-options': 'nosniff' };

/** `POST /json/2/<model>/<method>`: named arguments in, the method's raw return value out. */
export function json2Door(runtime: Runtime): Hono {
  const app = new Hono();
  app.post('/json/2/:model/:method', async (c) => {
    const requestId = requestIdOf(c.req.raw.headers);
    try {
      const text = await answer(runtime, c.req.raw, c.req.param('model'), c.req.param('method'), requestId);
      return new Response(text, { headers: { ...HEADERS, 'x-request-id': requestId } });
    } catch (error) {
      return refusal(answerable(runtime, error, requestId), requestId);
    }
  });
  app.all('/json/2', (c) => refusal(wrongAddress(), requestIdOf(c.req.raw.headers)));
  app.all('/json/2/*', (c) => refusal(wrongAddress(), requestIdOf(c.req.raw.headers)));
  return app;
}

async function answer(
  runtime: Runtime,
  request: Request,
  model: string,
  method: string,
  requestId: string,
): Promise<string> {
  const type = request.headers.get('content-type') ?? '';
  const caller = await callerOfBearer(runtime, request.headers);
  const body = await readBody(request, limits.rpcBody);
  if (body.length > 0 && !/^application\/json\b/i.test(type))
    throw errors.badRequest('Content-Type: application/json is needed.');
  const result = await callMethod(
    ctxOf(runtime, caller, 'json', requestId),
    model,
    method,
    namedArguments(body),
  );
  return result instanceof RawJson ? result.text : JSON.stringify(result ?? null);
}

/** A body that is JSON but no object counts as no arguments. */
function namedArguments(body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    throw errors.badRequest(`could not parse the body as json: ${(error as Error).message}`);
  }
  return value !== null && typeof value === 'object' && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

const wrongAddress = () => errors.notFound('Did you mean POST /json/2/<model>/<method>?');

/** The five keys of an error, in the order clients know. */
function refusal(error: AppError, requestId: string): Response {
  const status = error.kind === 'NOT_UNIQUE' ? 422 : error.status;
  const http = error.odooName.startsWith('werkzeug.');
  const body = {
    name: error.odooName,
    message: error.message,
    arguments: http ? [error.message, status] : [error.message],
    context: {},
    debug: '',
  };
  const headers: Record<string, string> = { ...HEADERS, 'x-request-id': requestId };
  if (status === 401) headers['www-authenticate'] = 'bearer';
  return new Response(JSON.stringify(body), { status, headers });
}
