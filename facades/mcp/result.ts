import { stringifyMembers } from '../../src/json.ts';
import type { Era } from './protocol/era.ts';
import { META_KEYS, type Revision, supportsStructuredContent } from './protocol/revisions.ts';
import type { MessageId, RpcError } from './protocol/rpc-error.ts';
import { MCP_SERVER_INFO } from './protocol/server-info.ts';
import type { ToolResult } from './tool.ts';
import { fenceText, UNTRUSTED_META } from './untrusted.ts';

// Responses are concatenated as text, so that rows that are already JSON are not parsed and serialized again.

/** Milliseconds that a client may cache lists and discovery results. */
const LIST_TTL_MS = 3_600_000;

/** JSON as text or UTF-8 bytes. Large responses that are sent often are encoded once. */
export type JsonText = string | Buffer<ArrayBuffer>;

/** A result without the fields that depend on the era. */
export interface McpResult {
  /** Members of the result object as JSON without braces. May be empty. */
  members: JsonText;
  cacheable?: boolean;
  meta?: Record<string, unknown>;
  /** True if the client must ask its user first. */
  wantsInput?: boolean;
}

const SERVER_META = { [META_KEYS.serverInfo]: MCP_SERVER_INFO };
const buildMeta = (meta: object): string => `"_meta":${JSON.stringify(meta)}`;
const SERVER_META_JSON = buildMeta(SERVER_META);
// The cache scope is private, because lists depend on the key.
const CACHE_MEMBERS = `"ttlMs":${LIST_TTL_MS},"cacheScope":"private"`;

export function buildResultJson(era: Era, id: MessageId, result: McpResult): JsonText {
  const { members, wantsInput } = result;
  const isModern = era === 'modern';
  const type = `"resultType":"${wantsInput ? 'input_required' : 'complete'}"${members.length > 0 ? ',' : ''}`;
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${isModern ? type : ''}`;
  const tail = `${isModern ? buildModernTail(result) : buildLegacyTail(result)}}}`;
  if (typeof members === 'string') return `${head}${members}${tail}`;
  return Buffer.concat([Buffer.from(head), members, Buffer.from(tail)]);
}

const buildModernTail = ({ cacheable, meta }: McpResult): string =>
  `${cacheable ? `,${CACHE_MEMBERS}` : ''},${meta ? buildMeta({ ...meta, ...SERVER_META }) : SERVER_META_JSON}`;

const buildLegacyTail = ({ meta }: McpResult): string => (meta ? `,${buildMeta(meta)}` : '');

export function buildErrorJson(id: MessageId, { code, message, data }: RpcError): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code, message, ...(data !== undefined && { data }) },
  });
}

/**
 * Builds a tool's success result, with its content both as text and as structured content (contract, "Tool result
 * envelope").
 */
export function buildToolSuccess(
  revision: Revision,
  { text, isUntrusted, input, ...shaped }: ToolResult,
): McpResult {
  if (input) return { members: stringifyMembers(input), wantsInput: true };
  const body = isUntrusted ? fenceText(text) : text;
  const visibleText = isUntrusted ? body : (shaped.displayText ?? text);
  const meta = isUntrusted ? { ...shaped.meta, ...UNTRUSTED_META } : shaped.meta;
  const structured = supportsStructuredContent(revision) ? `"structuredContent":${body},` : '';
  const content = shaped.content ?? [{ type: 'text', text: visibleText }];
  const members = `"content":${JSON.stringify(content)},${structured}"isError":false`;
  return { members, ...(meta && { meta }) };
}

/**
 * Builds a tool's error result. It has no structured content, because strict clients would validate it against the
 * output schema.
 */
export const buildToolFailure = (message: string): McpResult => ({
  members: stringifyMembers({ content: [{ type: 'text', text: `Error: ${message}` }], isError: true }),
});
