import { RowStream } from '../../../src/engine/read/row-stream.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { AppError } from '../../../src/errors.ts';
import { type BodyReadOptions, parseBody, readBody, UNAUTHENTICATED_OWNER } from '../../../src/http/body.ts';
import { createCutLogger, isSameOrigin } from '../../../src/http/http.ts';
import { streamBody } from '../../../src/http/stream-body.ts';
import { limits } from '../../../src/limits.ts';
import { stringifyLong } from '../../../src/loop/json-turns.ts';
import { RpcRefusal } from '../faults.ts';
import { thrown } from '../refusals.ts';
import { callService, senderAt } from '../services.ts';
import type { Visit } from '../visit.ts';
import {
  type FailedEnvelope,
  failure,
  parseEnvelope,
  parseRequest,
  type RefusedEnvelope,
  type RpcEnvelope,
  success,
  successBytes,
  successParts,
  successText,
} from './envelope.ts';
import { firstArguments } from './head.ts';

const ACCEPTED = 'application/json, application/json-rpc';

/** `POST /jsonrpc`: the services of XML-RPC in JSON. Errors are HTTP 200 too. */
export function answerJson(visit: Visit, request: Request): Promise<Response> {
  const streaming = { ...visit, streaming: true };
  const reading: BodyReadOptions = {
    maxBytes: limits.rpc.body,
    owner: UNAUTHENTICATED_OWNER,
    authenticate: (head) => senderAt(visit, firstArguments(head.toString('utf8'))),
  };
  return answerEnvelope(visit, request, reading, parseEnvelope, async ({ service, method, args }) => {
    const { result } = await callService(streaming, service, method, args);
    return result;
  });
}

/** A JSON-RPC route of its own: `run` gets its params. Its body is small unless its sender is known. */
export function answerRoute(
  visit: Visit,
  request: Request,
  run: (params: Record<string, unknown>) => unknown,
  reading: BodyReadOptions = { maxBytes: limits.http.strangerBody, owner: UNAUTHENTICATED_OWNER },
): Promise<Response> {
  return answerEnvelope(visit, request, reading, parseRequest, ({ params }) => run(params));
}

/** As `answerRoute`, for a route that reads or sets the session cookie: a page of somebody else must not ride on it. */
export async function answerSessionRoute(
  visit: Visit,
  request: Request,
  run: (params: Record<string, unknown>) => unknown,
  reading?: BodyReadOptions,
): Promise<Response> {
  if (!isSameOrigin(visit.runtime, request.headers))
    return refused(visit, 403, 'This is answered to pages of this server only.');
  return answerRoute(visit, request, run, reading);
}

async function answerEnvelope<T extends RpcEnvelope>(
  visit: Visit,
  request: Request,
  reading: BodyReadOptions,
  parse: (message: unknown) => T | FailedEnvelope | RefusedEnvelope,
  run: (envelope: T) => unknown,
): Promise<Response> {
  const message = await messageOf(visit, request, reading);
  if (message instanceof Response) return message;
  const envelope = parse(message);
  if (envelope.kind === 'refused') return refused(visit, envelope.status, envelope.text);
  if (envelope.kind === 'failed') return json(visit, failure(envelope.id, envelope.error));
  return answered(visit, envelope.id, () => run(envelope));
}

async function answered(visit: Visit, id: unknown, run: () => unknown): Promise<Response> {
  try {
    const result = await run();
    if (result instanceof RowStream) {
      const onCut = createCutLogger(visit.runtime, visit.requestId);
      return json(visit, await streamBody(successParts(id, result.chunks()), onCut));
    }
    if (result instanceof RawJson) return json(visit, successText(id, result.text));
    const long = await stringifyLong(result);
    return json(visit, long ? successBytes(id, long) : success(id, result));
  } catch (error) {
    return json(visit, failure(id, thrown(visit, error)));
  }
}

/** The value of the body, or the answer to a body that is none of ours. */
async function messageOf(visit: Visit, request: Request, reading: BodyReadOptions): Promise<unknown> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json(-rpc)?\s*(;|$)/i.test(type)) {
    return refused(visit, 415, `Content-Type: ${ACCEPTED} is needed.`, { accept: ACCEPTED });
  }
  try {
    return await parseBody(await readBody(request, reading));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError)
      return refused(visit, 400, 'Invalid JSON data');
    if (error instanceof AppError && BODY.has(error.status))
      return refused(visit, error.status, error.message);
    if (error instanceof RpcRefusal || error instanceof AppError)
      return json(visit, failure(null, thrown(visit, error)));
    return refused(visit, 400, 'The body could not be read.');
  }
}

/** HTTP says what is wrong with a body, or that others hold the memory for it. */
const BODY = new Set([408, 413, 503]);

function json(visit: Visit, body: string | Buffer<ArrayBuffer> | ReadableStream<Uint8Array>): Response {
  return new Response(body, { headers: headers(visit, 'application/json; charset=utf-8') });
}

/** HTTP refuses, in plain words: what came is no call. */
export function refused(
  visit: Visit,
  status: number,
  text: string,
  more: Record<string, string> = {},
): Response {
  return new Response(text, { status, headers: { ...headers(visit, 'text/plain; charset=utf-8'), ...more } });
}

const headers = (visit: Visit, type: string): Record<string, string> => ({
  'content-type': type,
  'x-content-type-options': 'nosniff',
  'x-request-id': visit.requestId,
});
