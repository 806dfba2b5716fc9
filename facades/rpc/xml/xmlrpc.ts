import { findFloatFields } from '../../../src/engine/describe/describe.ts';
import { RowStream } from '../../../src/engine/read/row-stream.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { AppError } from '../../../src/errors.ts';
import {
  type BodyReadOptions,
  parseInThread,
  type RequestBody,
  readBody,
  UNAUTHENTICATED_OWNER,
} from '../../../src/http/body.ts';
import { createAbortLogger } from '../../../src/http/http.ts';
import { streamBody } from '../../../src/http/stream-body.ts';
import { limits } from '../../../src/limits.ts';
import { toRpcError } from '../errors.ts';
import { type RpcErrorLike, RpcParseError, toLegacyFault, toRpcFault } from '../faults.ts';
import type { RpcRequest, RpcResult } from '../request.ts';
import { callService, findSender } from '../services.ts';
import { decodeCall, decodeFirstParams, type RpcCall } from './decode.ts';
import type { LargeCall } from './decode-large.ts';
import { encodeFault, encodeJsonText, encodeResponse, encodeResponseInSteps, encodeRows } from './encode.ts';

const HEADERS = { 'content-type': 'text/xml; charset=utf-8', 'x-content-type-options': 'nosniff' };

/**
 * Handles `POST /xmlrpc/2/<service>`, and `/xmlrpc/<service>` with string fault codes. The HTTP status of a fault is
 * 200.
 */
export async function handleXmlRpc(
  visit: RpcRequest,
  request: Request,
  service: string,
  legacy: boolean,
): Promise<Response> {
  let status = 200;
  let text: string | Buffer<ArrayBuffer> | ReadableStream<Uint8Array>;
  try {
    const { method, params } = await parseCall(await readBody(request, getBodyLimits(visit, service)));
    text = await encode(visit, await callService({ ...visit, streaming: true }, service, method, params));
  } catch (error) {
    status = getErrorStatus(error);
    text = encodeFaultText(toRpcError(visit, error), legacy);
  }
  return new Response(text, { status, headers: { ...HEADERS, 'x-request-id': visit.requestId } });
}

function encode(
  visit: RpcRequest,
  { result, model }: RpcResult,
): Promise<Buffer<ArrayBuffer> | ReadableStream<Uint8Array>> | string {
  const floats = model && findFloatFields(model);
  if (result instanceof RowStream)
    return streamBody(
      encodeRows(result.batches(), floats),
      createAbortLogger(visit.runtime, visit.requestId),
    );
  if (!(result instanceof RawJson))
    return result !== null && typeof result === 'object'
      ? encodeResponseInSteps(result)
      : encodeResponse(result);
  if (result.text.length < limits.http.largeResponse) return encodeJsonText(result.text, floats);
  return encodeLargeResult(result, floats);
}

const encodeLargeResult = async (
  result: RawJson,
  floats: ReadonlySet<string> | undefined,
): Promise<Buffer<ArrayBuffer>> => encodeResponseInSteps(await result.valueYielding(), floats);

/**
 * Returns the body limits. Only `object` accepts bodies larger than a login needs, and only if the body starts with a
 * valid credential.
 */
const getBodyLimits = (visit: RpcRequest, service: string): BodyReadOptions =>
  service === 'object'
    ? {
        maxBytes: limits.rpc.body,
        owner: UNAUTHENTICATED_OWNER,
        authenticate: (head) => findSender(visit, decodeFirstParams(head)),
      }
    : { maxBytes: limits.http.strangerBody, owner: UNAUTHENTICATED_OWNER };

async function parseCall(body: RequestBody): Promise<RpcCall> {
  if (body.bytes.length <= limits.http.largeBody) return decodeCall(body.bytes);
  const parsedCall = await parseInThread<LargeCall>(body, new URL('./decode-large.ts', import.meta.url));
  if ('fault' in parsedCall) throw new RpcParseError(parsedCall.fault.message, parsedCall.fault.tooLarge);
  return parsedCall.call;
}

/** Returns the HTTP status for an invalid body or insufficient memory. All other errors are faults. */
function getErrorStatus(error: unknown): number {
  if (error instanceof RpcParseError) return error.tooLarge ? 413 : 200;
  return error instanceof AppError && BODY_STATUSES.has(error.status) ? error.status : 200;
}

const BODY_STATUSES = new Set([408, 413, 503]);

function encodeFaultText(error: RpcErrorLike, legacy: boolean): string {
  const { code, text } = legacy ? toLegacyFault(error) : toRpcFault(error);
  return encodeFault(code, text);
}
