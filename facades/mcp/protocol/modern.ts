import { isObject } from '../../../src/json.ts';
import { REVISION_HEADER } from './era.ts';
import type { McpMessage } from './message.ts';
import { META_KEYS, MODERN_REVISION } from './revisions.ts';
import { type RpcError, rpcErrors } from './rpc-error.ts';

const NAME_PARAMETERS: Record<string, string> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/**
 * Validates a message of revision 2026-07-28 before its method is dispatched. Null if it is valid. The order of the
 * checks matters to clients of this revision.
 */
export function findModernError(message: McpMessage, headers: Headers): RpcError | null {
  const { _meta: meta } = message.params;
  const metaObject = isObject(meta) ? meta : {};
  const revision = metaObject[META_KEYS.revision];
  if (typeof revision !== 'string') return rpcErrors.missingMeta(META_KEYS.revision);
  if (!isObject(metaObject[META_KEYS.clientCapabilities]))
    return rpcErrors.missingMeta(META_KEYS.clientCapabilities);
  const header = headers.get(REVISION_HEADER);
  if (header !== null && header !== revision) return headerMismatch('MCP-Protocol-Version', header, revision);
  if (revision !== MODERN_REVISION) return rpcErrors.unsupportedRevision(revision);
  return findMethodError(message, headers) ?? findNameError(message, headers);
}

function findMethodError({ method }: McpMessage, headers: Headers): RpcError | null {
  const header = headers.get('mcp-method');
  if (header === null) return rpcErrors.headerMismatch('Mcp-Method', 'is missing');
  return header === method ? null : headerMismatch('Mcp-Method', header, method);
}

function findNameError({ method, params }: McpMessage, headers: Headers): RpcError | null {
  const key = Object.hasOwn(NAME_PARAMETERS, method) ? NAME_PARAMETERS[method]! : null;
  if (key === null) return null;
  const header = headers.get('mcp-name');
  if (header === null) return rpcErrors.headerMismatch('Mcp-Name', 'is missing');
  const name = decodeHeaderName(header);
  if (name === null) return rpcErrors.headerMismatch('Mcp-Name', 'is not valid base64');
  return name === params[key] ? null : headerMismatch('Mcp-Name', name, String(params[key]));
}

const headerMismatch = (header: string, value: string, body: string): RpcError =>
  rpcErrors.headerMismatch(header, `value '${value}' does not match body value '${body}'`);

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Decodes a name, which is `=?base64?…?=` if it is not ASCII. Null if malformed. */
function decodeHeaderName(header: string): string | null {
  if (!header.startsWith('=?base64?')) return header;
  const inner = header.endsWith('?=') ? header.slice('=?base64?'.length, -2) : '?';
  if (!BASE64.test(inner)) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(inner, 'base64'));
  } catch {
    return null;
  }
}
