import { stringifyMembers } from '../../src/json.ts';
import { limits } from '../../src/limits.ts';
import type { Era } from './protocol/era.ts';
import { knowsStructure, META, type Revision } from './protocol/revisions.ts';
import type { MessageId, RpcError } from './protocol/rpc-error.ts';
import { SERVER } from './protocol/server-info.ts';
import type { Shaped } from './tool.ts';
import { fenced, UNTRUSTED_META } from './untrusted.ts';

// Answers are put together as text, so that rows which are JSON already are never read and written again.

/** JSON as text, or in UTF-8: what is sent often and long is encoded once. */
export type Json = string | Buffer<ArrayBuffer>;

/** A result before its era's trimmings. */
export interface Result {
  /** The members of the result object as JSON without braces; may be empty. */
  members: Json;
  /** Whether a client may keep it for a while. */
  cacheable?: boolean;
  /** Members of `_meta`, in any era. */
  meta?: Record<string, unknown>;
  /** The program is to ask its person first. */
  wantsInput?: boolean;
}

const STAMP = { [META.serverInfo]: SERVER };
const metaText = (meta: object): string => `"_meta":${JSON.stringify(meta)}`;
const STAMP_TEXT = metaText(STAMP);
// Private: what is listed depends on the key.
const CACHE = `"ttlMs":${limits.mcp.listTime},"cacheScope":"private"`;

/** The response message for a result. */
export function resultJson(era: Era, id: MessageId, result: Result): Json {
  const { members, wantsInput } = result;
  const isModern = era === 'modern';
  const type = `"resultType":"${wantsInput ? 'input_required' : 'complete'}"${members.length > 0 ? ',' : ''}`;
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${isModern ? type : ''}`;
  const tail = `${isModern ? modernTail(result) : legacyTail(result)}}}`;
  if (typeof members === 'string') return `${head}${members}${tail}`;
  return Buffer.concat([Buffer.from(head), members, Buffer.from(tail)]);
}

const modernTail = ({ cacheable, meta }: Result): string =>
  `${cacheable ? `,${CACHE}` : ''},${meta ? metaText({ ...meta, ...STAMP }) : STAMP_TEXT}`;

const legacyTail = ({ meta }: Result): string => (meta ? `,${metaText(meta)}` : '');

/** The response message for an error of the protocol. */
export function errorText(id: MessageId, { code, message, data }: RpcError): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code, message, ...(data !== undefined && { data }) },
  });
}

/** A tool's success: the structured content twice, as text and as it is. Contract, "Tool result envelope". */
export function toolSuccess(revision: Revision, { text, isUntrusted, input, ...shaped }: Shaped): Result {
  if (input) return { members: stringifyMembers(input), wantsInput: true };
  const body = isUntrusted ? fenced(text) : text;
  const shown = isUntrusted ? body : (shaped.shown ?? text);
  const meta = isUntrusted ? { ...shaped.meta, ...UNTRUSTED_META } : shaped.meta;
  const structured = knowsStructure(revision) ? `"structuredContent":${body},` : '';
  const content = shaped.content ?? [{ type: 'text', text: shown }];
  const members = `"content":${JSON.stringify(content)},${structured}"isError":false`;
  return { members, ...(meta && { meta }) };
}

/** A tool's failure. Without structured content: strict clients would hold it against the tool's output schema. */
export const toolFailure = (message: string): Result => ({
  members: stringifyMembers({ content: [{ type: 'text', text: `Error: ${message}` }], isError: true }),
});
