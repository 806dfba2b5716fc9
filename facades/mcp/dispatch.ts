import { getAgentGuard } from '../../src/engine/verb/agent.ts';
import { stringifyMembers } from '../../src/json.ts';
import { clientName } from './agent/client-name.ts';
import { callTool } from './call-tool.ts';
import { complete } from './complete.ts';
import { listTools } from './list-tools.ts';
import { getPrompt, listPrompts } from './prompts/methods.ts';
import type { Era } from './protocol/era.ts';
import type { McpMessage } from './protocol/message.ts';
import { isLegacyRevision, LEGACY, REVISIONS } from './protocol/revisions.ts';
import { rpcErrors } from './protocol/rpc-error.ts';
import { CAPABILITIES, INSTRUCTIONS, SERVER } from './protocol/server-info.ts';
import type { Result } from './reply.ts';
import { listResources, listTemplates, readResource } from './resources/methods.ts';
import type { Session } from './session.ts';

type Method = (session: Session, message: McpMessage) => Result | Promise<Result>;

/** Carries out a request. @throws RpcError */
export async function dispatch(era: Era, session: Session, message: McpMessage): Promise<Result> {
  const method = METHODS[era].get(message.method);
  if (!method) throw rpcErrors.unknownMethod(message.method.slice(0, 100), era === 'modern' ? 404 : 200);
  // A call counts, and so is noted itself.
  if (message.method !== 'tools/call') await noteAgent(session, message);
  return method(session, message);
}

/** What was asked for is answered, whether or not it can be noted. */
async function noteAgent({ ctx, userAgent }: Session, { params }: McpMessage): Promise<void> {
  try {
    await getAgentGuard().recordPresence(ctx, clientName(params, userAgent));
  } catch (error) {
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'an agent could not be noted');
  }
}

const both: [string, Method][] = [
  ['tools/list', listTools],
  ['tools/call', callTool],
  ['resources/list', listResources],
  ['resources/templates/list', listTemplates],
  ['resources/read', readResource],
  ['prompts/list', listPrompts],
  ['prompts/get', getPrompt],
  ['completion/complete', complete],
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
    members: stringifyMembers({
      protocolVersion,
      capabilities: CAPABILITIES,
      serverInfo: SERVER,
      instructions: INSTRUCTIONS,
    }),
  };
}

const DISCOVERY: Result = {
  members: stringifyMembers({
    supportedVersions: REVISIONS,
    capabilities: CAPABILITIES,
    instructions: INSTRUCTIONS,
  }),
  cacheable: true,
};
