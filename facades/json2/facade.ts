import { decodeUriOrKeep } from '../../src/decode-uri.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import type { AppError } from '../../src/errors.ts';
import { type RequestBody, readBody } from '../../src/http/body.ts';
import {
  createCallerCtx,
  getRequestId,
  getUrlPath,
  type RequestHandler,
  respondOrReject,
} from '../../src/http/http.ts';
import { buildErrorResponse, hasJsonBody, parseJsonBody } from '../../src/http/json-api.ts';
import { isObject } from '../../src/json.ts';
import { executeCall, type Json2Response } from './call.ts';
import { checkDatabase, getJson2Caller } from './credential.ts';
import { createWrongAddressError, createWrongTypeError } from './errors.ts';

/** Same limit as Odoo 19. */
export const MAX_JSON2_BODY_BYTES = 128 * 1024 * 1024;

/**
 * Serves `POST /json/2/<model>/<method>`: accepts named arguments and returns the method's result unchanged. Uses no
 * router for its single route, because a router took a tenth of a `read` request's memory (measured).
 */
export const createJson2Facade = (runtime: Runtime): RequestHandler => ({
  fetch(request) {
    const { headers, method, url } = request;
    const address = method === 'POST' ? CALL_PATH_PATTERN.exec(getUrlPath(url)) : null;
    if (!address) return buildJson2ErrorResponse(createWrongAddressError(), getRequestId(headers));
    const [model, name] = [decodeName(address[1]!), decodeName(address[2]!)];
    return respondOrReject(runtime, headers, buildJson2ErrorResponse, async (requestId) => {
      const { body, replayed } = await handleCall(runtime, request, model, name, requestId);
      const repeated: Record<string, string> = replayed ? { 'idempotency-replayed': 'true' } : {};
      return new Response(body, { headers: { ...buildHeaders(requestId), ...repeated } });
    });
  },
});

const CALL_PATH_PATTERN = /^\/json\/2\/([^/]+)\/([^/]+)$/;

const decodeName = (name: string): string => (name.includes('%') ? decodeUriOrKeep(name) : name);

const buildHeaders = (requestId: string): Record<string, string> => ({
  'content-type': 'application/json; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'x-request-id': requestId,
});

const buildJson2ErrorResponse = (error: AppError, requestId: string): Response =>
  buildErrorResponse(error, buildHeaders(requestId));

/** Clients rely on the order of the checks: database, content type, key, body, call. */
async function handleCall(
  runtime: Runtime,
  request: Request,
  model: string,
  method: string,
  requestId: string,
): Promise<Json2Response> {
  const { headers } = request;
  await checkDatabase(runtime, headers);
  checkContentType(headers);
  const caller = await getJson2Caller(runtime, headers);
  const namedArgs = await parseNamedArguments(
    await readBody(request, { maxBytes: MAX_JSON2_BODY_BYTES, owner: caller.workspace.id }),
  );
  const ctx = createCallerCtx(runtime, { ...caller, streaming: true }, 'json', requestId, headers);
  return executeCall(ctx, { model, method, namedArgs }, headers.get('idempotency-key'));
}

/** An empty body may have any content type. */
function checkContentType(headers: Headers): void {
  const isEmpty = !headers.has('transfer-encoding') && Number(headers.get('content-length') ?? 0) === 0;
  if (!isEmpty && !hasJsonBody(headers)) throw createWrongTypeError();
}

/** Parses the arguments. Any JSON value other than an object means no arguments. */
async function parseNamedArguments(body: RequestBody): Promise<Record<string, unknown>> {
  const value = await parseJsonBody(body);
  return isObject(value) ? value : {};
}
