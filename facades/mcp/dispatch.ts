import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { CallLog } from '../../src/engine/verb/call-log.ts';
import { membersOf } from '../../src/json.ts';
import { callTool } from './call-tool.ts';
import type { Era } from './era.ts';
import { listTools } from './list-tools.ts';
import type { McpMessage } from './message.ts';
import type { Result } from './reply.ts';
import { isLegacyRevision, LEGACY, REVISIONS } from './revisions.ts';
import { rpcErrors } from './rpc-error.ts';
import { CAPABILITIES, INSTRUCTIONS, SERVER } from './server-info.ts';

/** What a method works with: the ctx shows secret-named values as `***`. */
export interface Session {
  ctx: Ctx;
  log: CallLog;
}

type Method = (session: Session, message: McpMessage) => Result | Promise<Result>;

/** Carries out a request. @throws RpcError */
export async function dispatch(era: Era, session: Session, message: McpMessage): Promise<Result> {
  const method = METHODS[era].get(message.method);
  if (!method) throw rpcErrors.unknownMethod(message.method.slice(0, 100), era === 'modern' ? 404 : 200);
  return method(session, message);
}

const both: [string, Method][] = [
  ['tools/list', ({ ctx }, message) => listTools(ctx.principal!, message)],
  ['tools/call', ({ ctx, log }, message) => callTool(ctx, log, message)],
];

const METHODS: Record<Era, Map<string, Method>> = {
  legacy: new Map([['initialize', initialize], ['ping', () => ({ members: '' })], ...both]),
  modern: new Map([['server/discover', () => DISCOVERY], ...both]),
};

/** A client that asks for a revision this handshake does not open gets our newest that it does. */
function initialize(_session: Session, { params }: McpMessage): Result {
  const { protocolVersion: wanted } = params;
  const protocolVersion = isLegacyRevision(wanted) ? wanted : LEGACY[0];
  return {
    members: membersOf({
      protocolVersion,
      capabilities: CAPABILITIES,
      serverInfo: SERVER,
      instructions: INSTRUCTIONS,
    }),
  };
}

const DISCOVERY: Result = {
  members: membersOf({
    supportedVersions: REVISIONS,
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
  }),
  cacheable: true,
};
