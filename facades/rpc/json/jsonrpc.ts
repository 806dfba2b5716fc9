import { RowStream } from '../../../src/engine/read/row-stream.ts';
import { encodeLongResult } from '../../../src/engine/value/raw-json.ts';
import { AppError } from '../../../src/errors.ts';
import { type BodyReadOptions, parseBody, readBody, UNAUTHENTICATED_OWNER } from '../../../src/http/body.ts';
import { createAbortLogger, isSameOrigin } from '../../../src/http/http.ts';
import { formatResult } from '../../../src/http/json-api.ts';
import { streamBody } from '../../../src/http/stream-body.ts';
import { limits } from '../../../src/limits.ts';
import { toRpcError } from '../errors.ts';
import { RpcCallError } from '../faults.ts';
import type { RpcRequest } from '../request.ts';
import { callService, findSender } from '../services.ts';
import {
  buildFailure,
  buildSuccessBytes,
  buildSuccessText,
  type FailedEnvelope,
  parseEnvelope,
  parseRequest,
  type RejectedEnvelope,
  type RpcEnvelope,
  streamSuccess,
} from './envelope.ts';
import { parseFirstArguments } from './head.ts';

const ACCEPTED_TYPES = 'application/json, application/json-rpc';

/** Handles `POST /jsonrpc`: the XML-RPC services in JSON. Errors also have HTTP status 200. */
export function handleJsonRpc(visit: RpcRequest, request: Request): Promise<Response> {
  const streaming = { ...visit, streaming: true };
  const options: BodyReadOptions = {
    maxBytes: limits.rpc.body,
    owner: UNAUTHENTICATED_OWNER,
    authenticate: (head) => findSender(visit, parseFirstArguments(head.toString('utf8'))),
  };
  return handleEnvelope(visit, request, options, parseEnvelope, async ({ service, method, args }) => {
    const { result } = await callService(streaming, service, method, args);
    return result;
  });
}

/** Handles a JSON-RPC route; `run` receives its params. The body must be small unless the sender is authenticated. */
export function handleJsonRoute(
  visit: RpcRequest,
  request: Request,
  run: (params: Record<string, unknown>) => unknown,
  options: BodyReadOptions = { maxBytes: limits.http.strangerBody, owner: UNAUTHENTICATED_OWNER },
): Promise<Response> {
  return handleEnvelope(visit, request, options, parseRequest, ({ params }) => run(params));
}

/** Like `handleJsonRoute`, for a route that reads or sets the session cookie. Rejects cross-site requests. */
export async function handleSessionRoute(
  visit: RpcRequest,
  request: Request,
  run: (params: Record<string, unknown>) => unknown,
  options?: BodyReadOptions,
): Promise<Response> {
  if (!isSameOrigin(visit.runtime, request.headers))
    return buildRejectionResponse(
      visit,
      403,
      'This endpoint only accepts requests from pages of this server.',
    );
  return handleJsonRoute(visit, request, run, options);
}

async function handleEnvelope<T extends RpcEnvelope>(
  visit: RpcRequest,
  request: Request,
  options: BodyReadOptions,
  parse: (message: unknown) => T | FailedEnvelope | RejectedEnvelope,
  run: (envelope: T) => unknown,
): Promise<Response> {
  const message = await readMessage(visit, request, options);
  if (message instanceof Response) return message;
  const envelope = parse(message);
  if (envelope.kind === 'refused') return buildRejectionResponse(visit, envelope.status, envelope.text);
  if (envelope.kind === 'failed') return buildJsonResponse(visit, buildFailure(envelope.id, envelope.error));
  return runAndRespond(visit, envelope.id, () => run(envelope));
}

async function runAndRespond(visit: RpcRequest, id: unknown, run: () => unknown): Promise<Response> {
  try {
    const result = await run();
    if (result instanceof RowStream) {
      const onCut = createAbortLogger(visit.runtime, visit.requestId);
      return buildJsonResponse(visit, await streamBody(streamSuccess(id, result.chunks()), onCut));
    }
    const long = await encodeLongResult(result);
    return buildJsonResponse(
      visit,
      long ? buildSuccessBytes(id, long) : buildSuccessText(id, formatResult(result)),
    );
  } catch (error) {
    return buildJsonResponse(visit, buildFailure(id, toRpcError(visit, error)));
  }
}

async function readMessage(visit: RpcRequest, request: Request, options: BodyReadOptions): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json(-rpc)?\s*(;|$)/i.test(type)) {
    return buildRejectionResponse(visit, 415, `Content-Type: ${ACCEPTED_TYPES} is required.`, {
      accept: ACCEPTED_TYPES,
    });
  }
  try {
    return await parseBody(await readBody(request, options));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError)
      return buildRejectionResponse(visit, 400, 'Invalid JSON data');
    if (error instanceof AppError && BODY_STATUSES.has(error.status))
      return buildRejectionResponse(visit, error.status, error.message);
    if (error instanceof RpcCallError || error instanceof AppError)
      return buildJsonResponse(visit, buildFailure(null, toRpcError(visit, error)));
    return buildRejectionResponse(visit, 400, 'The body could not be read.');
  }
}

/** HTTP statuses for a body that timed out, is too large, or exceeds the available memory. */
const BODY_STATUSES = new Set([408, 413, 503]);

function buildJsonResponse(
  visit: RpcRequest,
  body: string | Buffer<ArrayBuffer> | ReadableStream<Uint8Array>,
): Response {
  return new Response(body, { headers: buildHeaders(visit, 'application/json; charset=utf-8') });
}

export function buildRejectionResponse(
  visit: RpcRequest,
  status: number,
  text: string,
  extra: Record<string, string> = {},
): Response {
  return new Response(text, {
    status,
    headers: { ...buildHeaders(visit, 'text/plain; charset=utf-8'), ...extra },
  });
}

const buildHeaders = (visit: RpcRequest, type: string): Record<string, string> => ({
  'content-type': type,
  'x-content-type-options': 'nosniff',
  'x-request-id': visit.requestId,
});
