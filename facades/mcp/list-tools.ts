import type { Principal } from '../../src/engine/model/principal.ts';
import { membersOf } from '../../src/json.ts';
import type { McpMessage } from './message.ts';
import type { Result } from './reply.ts';
import { rpcErrors } from './rpc-error.ts';
import type { Tool } from './tool.ts';
import { tools } from './tools/index.ts';

/** `tools/list`: all on one page. @throws RpcError -32602 for a cursor, since none was ever given out */
export function listTools(principal: Principal, { params }: McpMessage): Result {
  if (params.cursor !== undefined) throw rpcErrors.invalidParams('unknown cursor');
  return mayWrite(principal.scopes) ? everyTool : readingTools;
}

const everyTool = listed(tools);
const readingTools = listed(tools.filter((tool) => tool.scope === 'read'));

/** A key narrowed to reading is not shown what it may not use; `write` includes reading. */
const mayWrite = (scopes: readonly string[] | null): boolean => scopes === null || scopes.includes('write');

function listed(shown: readonly Tool[]): Result {
  return { members: membersOf({ tools: shown.map(declaration) }), cacheable: true };
}

function declaration({ name, title, description, inputSchema, outputSchema, annotations }: Tool): object {
  return { name, title, description, inputSchema, outputSchema, annotations };
}
