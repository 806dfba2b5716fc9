import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { operations } from '../../src/engine/operation/operation.ts';
import { evaluatePolicy } from '../../src/engine/operation/policy.ts';
import { AppError, errors } from '../../src/errors.ts';
import { parseBody, type RequestBody, readBody } from '../../src/http/body.ts';
import { authenticateBearer, createCallerCtx, getRequestId, toPublicError } from '../../src/http/http.ts';
import type { TaskOwner } from '../../src/thread.ts';
import { describeIssue } from './describe-issue.ts';
import type { Endpoint, EndpointRequest } from './endpoint.ts';
import { buildRestErrorResponse, REST_HEADERS } from './errors.ts';
import { findMisspellings } from './spelling.ts';

/** The limit is large, because attachments are base64-encoded in the JSON body. */
const MAX_REST_BODY_BYTES = 40 * 1024 * 1024;

/** Authenticates the caller before it reads the rest of the request. */
export async function handleEndpoint(runtime: Runtime, c: Context, endpoint: Endpoint): Promise<Response> {
  const requestId = getRequestId(c.req.raw.headers);
  try {
    const caller = await authenticateBearer(runtime, c.req.raw.headers, 'rest');
    const ctx = () => createCallerCtx(runtime, caller, 'rest', requestId, c.req.raw.headers);
    let endpointRequest: EndpointRequest<unknown, unknown>;
    try {
      endpointRequest = await parseRequest(endpoint, c, caller.workspace.id);
    } catch (fault) {
      throw findPolicyError(endpoint, ctx()) ?? fault;
    }
    const result = await endpoint.run(ctx(), endpointRequest);
    if (typeof result === 'string')
      return new Response(result, { headers: { ...REST_HEADERS, 'x-request-id': requestId } });
    result.headers.set('x-request-id', requestId);
    return result;
  } catch (error) {
    return buildRestErrorResponse(toPublicError(runtime, error, requestId), requestId);
  }
}

/** Returns the policy error of the endpoint's operation, which takes precedence over errors in the body. */
const findPolicyError = ({ operation }: Endpoint, ctx: Ctx): AppError | null =>
  operation ? evaluatePolicy(operations.get(operation)!.policy, ctx) : null;

/** Rejects a request to an unknown path. Without a valid key, every path results in 401. */
export async function rejectEndpoint(runtime: Runtime, c: Context, appError: AppError): Promise<Response> {
  const requestId = getRequestId(c.req.raw.headers);
  const error = await authenticateBearer(runtime, c.req.raw.headers, 'rest').then(
    () => appError,
    (error) => toPublicError(runtime, error, requestId),
  );
  return buildRestErrorResponse(error, requestId);
}

/**
 * Parses and validates the body, then the query. Drops fields that are not in the schema, but rejects misspelled ones.
 * @throws BAD_REQUEST that names each invalid field
 */
async function parseRequest(
  endpoint: Endpoint,
  c: Context,
  holder: TaskOwner,
): Promise<EndpointRequest<unknown, unknown>> {
  const request = c.req.raw;
  let body: unknown = null;
  if (endpoint.body) {
    const bodyText = await readBody(request, { maxBytes: MAX_REST_BODY_BYTES, owner: holder });
    const parsedBody = await parseJsonBody(bodyText, request.headers.get('content-type'));
    rejectErrors(findMisspellings(endpoint.body, parsedBody));
    body = validateValue(endpoint.body, parsedBody);
  }
  return {
    body,
    query: endpoint.query && validateValue(endpoint.query, parseQuery(request.url)),
    params: c.req.param(),
    idempotencyKey: request.headers.get('idempotency-key'),
    request,
  };
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** @throws BAD_REQUEST for another media type, an empty body, invalid UTF-8 or malformed JSON */
async function parseJsonBody(body: RequestBody, contentType: string | null): Promise<unknown> {
  if (!contentType || !JSON_TYPE.test(contentType))
    throw errors.badRequest('The body must be JSON, sent with Content-Type: application/json.');
  if (body.bytes.length === 0) throw errors.badRequest('The body is empty; JSON is required.');
  try {
    return await parseBody(body);
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (error instanceof TypeError) throw errors.badRequest('The body is not UTF-8.');
    throw errors.badRequest(`Malformed JSON in the body: ${(error as Error).message}`);
  }
}

/** Parses the query string. A repeated parameter becomes an array. */
function parseQuery(url: string): Record<string, string | string[]> {
  const params = new URL(url).searchParams;
  const query: Record<string, string | string[]> = {};
  for (const name of new Set(params.keys())) {
    const all = params.getAll(name);
    query[name] = all.length === 1 ? all[0]! : all;
  }
  return query;
}

/** Maximum length of a field's path in an error message. Callers choose the keys of `headers` and `variables`. */
const MAX_FIELD_NAME_CHARS = 100;

function validateValue<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value, { error: describeIssue });
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) =>
    path.length ? `${path.join('.').slice(0, MAX_FIELD_NAME_CHARS)}: ${message}` : message,
  );
  throw buildValidationError(faults);
}

function rejectErrors(faults: string[]): void {
  if (faults.length > 0) throw buildValidationError(faults);
}

const MAX_LISTED_ERRORS = 5;

function buildValidationError(faults: string[]): Error {
  const listedFaults = faults.slice(0, MAX_LISTED_ERRORS);
  if (faults.length > MAX_LISTED_ERRORS) listedFaults.push(`and ${faults.length - MAX_LISTED_ERRORS} more`);
  return errors.badRequest(`${listedFaults.join('; ')}.`);
}
