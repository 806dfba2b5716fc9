import { membersOf } from '../../src/json.ts';
import { limits } from '../../src/limits.ts';
import type { Era } from './era.ts';
import { META } from './revisions.ts';
import type { MessageId, RpcError } from './rpc-error.ts';
import { SERVER } from './server-info.ts';

// Answers are put together as text, so that rows which are JSON already are never read and written again.

/** A result before its era's trimmings. */
export interface Result {
  /** The members of the result object as JSON text without braces; may be empty. */
  members: string;
  /** Whether a client may keep it for a while. */
  cacheable?: boolean;
}

const STAMP = `"_meta":{${JSON.stringify(META.serverInfo)}:${JSON.stringify(SERVER)}}`;
// Private: what is listed depends on the key.
const CACHE = `"ttlMs":${limits.mcp.listTime},"cacheScope":"private"`;

/** The response message for a result. */
export function resultText(era: Era, id: MessageId, { members, cacheable }: Result): string {
  const modern = [
    '"resultType":"complete"',
    ...(members ? [members] : []),
    ...(cacheable ? [CACHE] : []),
    STAMP,
  ];
  const inner = era === 'modern' ? modern.join(',') : members;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${inner}}}`;
}

/** The response message for an error of the protocol. */
export function errorText(id: MessageId, { code, message, data }: RpcError): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code, message, ...(data !== undefined && { data }) },
  });
}

/** A tool's success: the structured content twice, as text and as it is. Contract, "Tool result envelope". */
export const toolSuccess = (structured: string): Result => ({
  members:
    `"content":[{"type":"text","text":${JSON.stringify(structured)}}],` +
    `"structuredContent":${structured},"isError":false`,
});

/** A tool's failure. Without structured content: strict clients would hold it against the tool's output schema. */
export const toolFailure = (message: string): Result => ({
  members: membersOf({ content: [{ type: 'text', text: `Error: ${message}` }], isError: true }),
});
