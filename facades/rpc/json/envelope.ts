import { isObject } from '../../../src/json.ts';
import type { RpcErrorLike } from '../faults.ts';

type JsonRpcId = unknown;

/** JSON that is not a JSON-RPC message. The response is HTTP 400 with this plain text (Odoo 19). */
export interface RejectedEnvelope {
  kind: 'refused';
  status: 400;
  text: 'Invalid JSON-RPC data';
}

/** An invalid JSON-RPC call. The response is HTTP 200 with `buildFailure(id, error)`. */
export interface FailedEnvelope {
  kind: 'failed';
  id: JsonRpcId;
  error: RpcErrorLike;
}

interface CallEnvelope {
  kind: 'call';
  id: JsonRpcId;
  service: string;
  method: string;
  args: unknown[];
}

interface RequestEnvelope {
  kind: 'request';
  id: JsonRpcId;
  params: Record<string, unknown>;
}

export type RpcEnvelope = CallEnvelope | RequestEnvelope;

/** Parses any JSON-RPC request, for routes with their own parameters. Ignores the outer `method` and the version. */
export function parseRequest(message: unknown): RequestEnvelope | FailedEnvelope | RejectedEnvelope {
  if (!isObject(message)) return rejectEnvelope('Invalid JSON-RPC data');
  const { id = null, params = {} } = message;
  return isObject(params)
    ? { kind: 'request', id, params }
    : failEnvelope(id, 'the params of a call must be an object');
}

/** Parses the body of `POST /jsonrpc`: `params` is `{service, method, args}`; other members are ignored. */
export function parseEnvelope(message: unknown): CallEnvelope | FailedEnvelope | RejectedEnvelope {
  const request = parseRequest(message);
  if (request.kind !== 'request') return request;
  const { id, params } = request;
  const absent = ['service', 'method', 'args'].find((name) => !Object.hasOwn(params, name));
  if (absent) return failEnvelope(id, `missing a required argument: '${absent}'`);
  const { service, method, args } = params;
  if (typeof service !== 'string') return failEnvelope(id, "'service' must be a string");
  if (typeof method !== 'string') return failEnvelope(id, "'method' must be a string");
  if (!Array.isArray(args)) return failEnvelope(id, "'args' must be an array");
  return { kind: 'call', id, service, method, args };
}

/** Wraps a result in JSON. Null (None in Python) omits the `result` member. */
export function buildSuccessText(id: JsonRpcId, json: string): string {
  const none = json.length < 20 && json.trim() === 'null';
  return none ? `${buildOpening(id)}}` : `${buildOpening(id)},"result":${json}}`;
}

/** Like `buildSuccessText`, for UTF-8 bytes. */
export const buildSuccessBytes = (id: JsonRpcId, json: Buffer): Buffer<ArrayBuffer> =>
  Buffer.concat([Buffer.from(`${buildOpening(id)},"result":`), json, Buffer.from('}')]);

export async function* streamSuccess(id: JsonRpcId, parts: AsyncIterable<string>): AsyncIterable<string> {
  let start = `${buildOpening(id)},"result":`;
  for await (const part of parts) {
    yield start + part;
    start = '';
  }
  yield '}';
}

/** Serializes an error. The HTTP status is 200 (Odoo 19). */
export function buildFailure(id: JsonRpcId, error: RpcErrorLike): string {
  const data = {
    name: error.exception,
    message: error.message,
    arguments: [error.message],
    context: error.context ?? {},
    debug: '',
  };
  return `${buildOpening(id)},"error":${JSON.stringify({ ...getErrorCode(error), data })}}`;
}

const CODES: ReadonlyMap<string, { code: number; message: string }> = new Map([
  ['werkzeug.exceptions.NotFound', { code: 404, message: '404: Not Found' }],
  ['odoo.http.SessionExpiredException', { code: 100, message: 'Odoo Session Expired' }],
]);

function getErrorCode(error: RpcErrorLike): { code: number; message: string } {
  return CODES.get(error.exception) ?? { code: 0, message: 'Odoo Server Error' };
}

function buildOpening(id: JsonRpcId): string {
  return `{"jsonrpc":"2.0","id":${serializeId(id)}`;
}

/** Returns null for an id that is nested too deeply to serialize. */
function serializeId(id: JsonRpcId): string {
  try {
    return JSON.stringify(id ?? null);
  } catch {
    return 'null';
  }
}

function rejectEnvelope(text: RejectedEnvelope['text']): RejectedEnvelope {
  return { kind: 'refused', status: 400, text };
}

function failEnvelope(id: JsonRpcId, message: string): FailedEnvelope {
  return { kind: 'failed', id, error: { kind: 'other', exception: 'builtins.TypeError', message } };
}
