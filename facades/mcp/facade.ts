import { Hono } from 'hono';
import type { Caller, Runtime } from '../../src/engine/ctx/runtime.ts';
import { derivePrincipal } from '../../src/engine/model/principal.ts';
import { type CallLog, getCallLog } from '../../src/engine/operation/call-log.ts';
import { AppError } from '../../src/errors.ts';
import { readBody } from '../../src/http/body.ts';
import { createCallerCtx, getRequestId } from '../../src/http/http.ts';
import { limits } from '../../src/limits.ts';
import { type AdmissionError, admitMcpRequest } from './admission.ts';
import { registerHeldRunner } from './agent/run-held.ts';
import { checkToolFilter, getCommonGroups, parseToolFilter } from './agent/tool-filter.ts';
import { handleMcp, type McpResponse } from './handle-mcp.ts';
import { createEventStream, type EventStream } from './protocol/event-stream.ts';
import { type Notifier, readMessages } from './protocol/message.ts';
import { RpcError, rpcErrors } from './protocol/rpc-error.ts';
import type { McpRegistry } from './registry.ts';
import { buildErrorJson } from './result.ts';
import { withScopeChallenge } from './scope.ts';
import { mcpProduct } from './tools/index.ts';

const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

interface McpServer {
  runtime: Runtime;
  log: CallLog;
  registry: McpRegistry;
}

export function createMcpFacade(runtime: Runtime, registry: McpRegistry = mcpProduct): Hono {
  const app = new Hono();
  const server = { runtime, log: getCallLog(runtime), registry };
  registerHeldRunner(registry, server.log);
  for (const path of ['/mcp', '/mcp/']) app.all(path, (c) => handle(server, c.req.raw));
  return app;
}

async function handle(server: McpServer, request: Request): Promise<Response> {
  const { runtime } = server;
  const requestId = getRequestId(request.headers);
  try {
    const admitted = await admitMcpRequest(runtime, request);
    if ('status' in admitted) return buildRejectionResponse(admitted, requestId);
    const stream = createEventStream();
    const pendingResponse = handleRequest(server, request, admitted, requestId, stream.send);
    const first = await Promise.race([pendingResponse, stream.opened]);
    if (!('status' in first)) return streamResponse(first, stream, pendingResponse, requestId);
    return withScopeChallenge(runtime, request.headers, buildResponse(first, requestId));
  } catch (error) {
    if (error instanceof RpcError) return buildErrorResponse(error, requestId);
    if (error instanceof AppError && error.kind === 'BAD_REQUEST')
      return buildErrorResponse(rpcErrors.refusedBody(error), requestId);
    if (error instanceof AppError && error.kind === 'BUSY')
      return buildErrorResponse(rpcErrors.busy(error.message), requestId);
    runtime.log.error({ err: error, requestId }, 'unexpected error');
    return buildErrorResponse(rpcErrors.internal(requestId), requestId);
  }
}

async function handleRequest(
  { runtime, log, registry }: McpServer,
  request: Request,
  caller: Caller,
  requestId: string,
  notify: Notifier,
): Promise<McpResponse> {
  const body = await readMessages(
    await readBody(request, { maxBytes: limits.http.jsonBody, owner: caller.workspace.id }),
  );
  const toolFilter = parseToolFilter(request, caller.principal);
  checkToolFilter(toolFilter, registry.tools);
  const toolGroups = getCommonGroups(toolFilter);
  const principal = toolGroups
    ? derivePrincipal(caller.principal, `groups ${[...toolGroups].sort()}`, { toolGroups })
    : caller.principal;
  const ctx = createCallerCtx(
    runtime,
    { ...caller, principal, mask: true },
    'mcp',
    requestId,
    request.headers,
  );
  const userAgent = request.headers.get('user-agent');
  return handleMcp({ ctx, log, registry, narrowing: toolFilter, userAgent, notify }, body, request.headers);
}

/** Sends the response as the last event. Its HTTP status is lost, because the headers have already been sent. */
function streamResponse(
  body: ReadableStream<Uint8Array>,
  stream: EventStream,
  pendingResponse: Promise<McpResponse>,
  requestId: string,
): Response {
  const headers = { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' };
  pendingResponse.then(
    ({ json }) => stream.end(json === null ? null : String(json)),
    () => stream.end(buildErrorJson(null, rpcErrors.internal(requestId))),
  );
  return new Response(body, { headers: { ...HEADERS, ...headers, 'x-request-id': requestId } });
}

function buildResponse({ status, json }: McpResponse, requestId: string): Response {
  return new Response(json, { status, headers: { ...HEADERS, 'x-request-id': requestId } });
}

const buildErrorResponse = (error: RpcError, requestId: string): Response =>
  buildResponse({ status: error.status, json: buildErrorJson(error.id, error) }, requestId);

/** Builds a response that is not JSON-RPC, so that a client does not mistake it for an MCP protocol error. */
function buildRejectionResponse(
  { status, error, description, headers }: AdmissionError,
  requestId: string,
): Response {
  const text = JSON.stringify({ error, error_description: description });
  return new Response(text, { status, headers: { ...HEADERS, ...headers, 'x-request-id': requestId } });
}
