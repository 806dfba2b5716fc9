import { Hono } from 'hono';
import type { Caller, Runtime } from '../../src/engine/ctx/runtime.ts';
import { type CallLog, createCallLog } from '../../src/engine/verb/call-log.ts';
import { AppError } from '../../src/errors.ts';
import { readBody } from '../../src/http/body.ts';
import { ctxOf, requestIdOf } from '../../src/http/http.ts';
import { limits } from '../../src/limits.ts';
import { answerMcp, type McpAnswer } from './answer.ts';
import { admit, type Refusal } from './gate.ts';
import { messagesOf } from './message.ts';
import { errorText } from './reply.ts';
import { RpcError, rpcErrors } from './rpc-error.ts';

const HEADERS = {
  'content-type': 'application/json',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

/** `POST /mcp`: JSON-RPC in, one JSON answer out. Nothing is kept between two requests. */
export function mcpDoor(runtime: Runtime): Hono {
  const app = new Hono();
  const log = createCallLog(runtime.db);
  app.all('/mcp', (c) => handle(runtime, log, c.req.raw));
  return app;
}

async function handle(runtime: Runtime, log: CallLog, request: Request): Promise<Response> {
  const requestId = requestIdOf(request.headers);
  try {
    const admitted = await admit(runtime, request);
    if ('status' in admitted) return turnedAway(admitted, requestId);
    return respond(await answerTo(runtime, log, request, admitted, requestId), requestId);
  } catch (error) {
    if (error instanceof RpcError) return failed(error, requestId);
    if (error instanceof AppError && error.kind === 'BAD_REQUEST')
      return failed(rpcErrors.refusedBody(error), requestId);
    if (error instanceof AppError && error.kind === 'BUSY')
      return failed(rpcErrors.busy(error.message), requestId);
    runtime.log.error({ err: error, requestId }, 'unexpected error');
    return failed(rpcErrors.internal(requestId), requestId);
  }
}

async function answerTo(
  runtime: Runtime,
  log: CallLog,
  request: Request,
  caller: Caller,
  requestId: string,
): Promise<McpAnswer> {
  const body = await messagesOf(
    await readBody(request, { most: limits.http.jsonBody, holder: caller.workspace.id }),
  );
  const ctx = ctxOf(runtime, caller, 'mcp', requestId, request.headers).with({ mask: true });
  return answerMcp({ ctx, log }, body, request.headers);
}

function respond({ status, text }: McpAnswer, requestId: string): Response {
  return new Response(text, { status, headers: { ...HEADERS, 'x-request-id': requestId } });
}

const failed = (error: RpcError, requestId: string): Response =>
  respond({ status: error.status, text: errorText(error.id, error) }, requestId);

/** No JSON-RPC: a client must not take this for an MCP server that dislikes its message. */
function turnedAway({ status, error, description, headers }: Refusal, requestId: string): Response {
  const text = JSON.stringify({ error, error_description: description });
  return new Response(text, { status, headers: { ...HEADERS, ...headers, 'x-request-id': requestId } });
}
