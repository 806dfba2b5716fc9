import { AppError } from '../../../src/errors.ts';
import { parseBody, type RequestBody } from '../../../src/http/body.ts';
import { isObject } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';
import { type MessageId, rpcErrors } from './rpc-error.ts';

/** A JSON-RPC request; one without an id is a notification. */
export interface McpMessage {
  id?: string | number;
  method: string;
  params: Record<string, unknown>;
}

/** Sends the program a message before the answer, which then comes as a stream of events. */
export type Notify = (message: { method: string; params: object }) => void;

/** The JSON of a body. @throws RpcError -32700 for what is no JSON, -32600 for one nested too deep */
export async function readMessages(body: RequestBody): Promise<unknown> {
  let value: unknown;
  try {
    value = await parseBody(body);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw rpcErrors.parse((error as Error).message);
  }
  if (isTooDeep(value)) throw rpcErrors.invalidRequest(`more than ${limits.mcp.depth} levels of nesting`);
  return value;
}

/** Level by level and not by recursion: the depth is the caller's choice. */
function isTooDeep(value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= limits.mcp.depth; depth++) {
    const next: unknown[] = [];
    for (const item of level) {
      if (item === null || typeof item !== 'object') continue;
      for (const inner of Object.values(item))
        if (inner !== null && typeof inner === 'object') next.push(inner);
    }
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}

/**
 * Reads one message; null for a response, which a stateless server did not ask for.
 * @throws RpcError -32600 with the id when it has one
 */
export function parseMcpMessage(value: unknown): McpMessage | null {
  if (!isObject(value)) throw rpcErrors.invalidRequest('a message is an object');
  const { jsonrpc, id, method, params } = value;
  const known = isValidId(id) ? id : null;
  if (jsonrpc !== '2.0') throw rpcErrors.invalidRequest('jsonrpc must be "2.0"', known);
  if (method === undefined && ('result' in value || 'error' in value)) return null;
  if (typeof method !== 'string') throw rpcErrors.invalidRequest('method must be text', known);
  if (id !== undefined && known === null) throw rpcErrors.invalidRequest('id must be text or a whole number');
  if (params !== undefined && params !== null && !isObject(params)) {
    throw rpcErrors.invalidRequest('params must be an object', known);
  }
  return { ...(known !== null && { id: known }), method, params: params ?? {} };
}

const isValidId = (id: unknown): id is Exclude<MessageId, null> =>
  typeof id === 'string' || Number.isSafeInteger(id);
