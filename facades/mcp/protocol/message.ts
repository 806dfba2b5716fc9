import { AppError } from '../../../src/errors.ts';
import { parseBody, type RequestBody } from '../../../src/http/body.ts';
import { isNestedDeeper, isObject } from '../../../src/json.ts';
import { type MessageId, rpcErrors } from './rpc-error.ts';

/** Maximum nesting levels of arrays and objects in a message. A domain in the record API may have 60. */
const MAX_MESSAGE_DEPTH = 100;

/** A JSON-RPC request. Without an id it is a notification. */
export interface McpMessage {
  id?: string | number;
  method: string;
  params: Record<string, unknown>;
}

/** Sends a message to the client before the response, which turns the response into a stream of events. */
export type Notifier = (message: { method: string; params: object }) => void;

/** Parses the body. @throws RpcError -32700 for invalid JSON, -32600 above the nesting limit */
export async function readMessages(body: RequestBody): Promise<unknown> {
  let value: unknown;
  try {
    value = await parseBody(body);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw rpcErrors.parse((error as Error).message);
  }
  // The message is itself an object.
  if (isNestedDeeper(value, MAX_MESSAGE_DEPTH + 1))
    throw rpcErrors.invalidRequest(`more than ${MAX_MESSAGE_DEPTH} levels of nesting`);
  return value;
}

/**
 * Parses one message. Null for a JSON-RPC response, which a stateless server ignores because it sends no requests.
 * @throws RpcError -32600, with the id if there is one
 */
export function parseMcpMessage(value: unknown): McpMessage | null {
  if (!isObject(value)) throw rpcErrors.invalidRequest('a message must be an object');
  const { jsonrpc, id, method, params } = value;
  const requestId = isValidId(id) ? id : null;
  if (jsonrpc !== '2.0') throw rpcErrors.invalidRequest('jsonrpc must be "2.0"', requestId);
  if (method === undefined && ('result' in value || 'error' in value)) return null;
  if (typeof method !== 'string') throw rpcErrors.invalidRequest('method must be a string', requestId);
  if (id !== undefined && requestId === null)
    throw rpcErrors.invalidRequest('id must be a string or a whole number');
  if (params !== undefined && params !== null && !isObject(params)) {
    throw rpcErrors.invalidRequest('params must be an object', requestId);
  }
  return { ...(requestId !== null && { id: requestId }), method, params: params ?? {} };
}

/** Rejects a cursor, because every list has a single page. @throws RpcError -32602 */
export function rejectCursor({ params }: McpMessage): void {
  if (params.cursor !== undefined && params.cursor !== null) throw rpcErrors.invalidParams('unknown cursor');
}

const isValidId = (id: unknown): id is Exclude<MessageId, null> =>
  typeof id === 'string' || Number.isSafeInteger(id);
