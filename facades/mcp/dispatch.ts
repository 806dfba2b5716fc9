import { getAgentGuard } from '../../src/engine/operation/agent.ts';
import { stringifyMembers } from '../../src/json.ts';
import { findClientName } from './agent/client-name.ts';
import { callTool } from './call-tool.ts';
import { complete } from './complete.ts';
import { listTools } from './list-tools.ts';
import { getPrompt, listPrompts } from './prompts/methods.ts';
import type { Era } from './protocol/era.ts';
import type { McpMessage } from './protocol/message.ts';
import { isLegacyRevision, LEGACY_REVISIONS, MCP_REVISIONS } from './protocol/revisions.ts';
import { rpcErrors } from './protocol/rpc-error.ts';
import { MCP_CAPABILITIES, MCP_INSTRUCTIONS, MCP_SERVER_INFO } from './protocol/server-info.ts';
import { listResources, listTemplates, readResource } from './resources/methods.ts';
import type { McpResult } from './result.ts';
import type { Session } from './session.ts';

type McpMethod = (session: Session, message: McpMessage) => McpResult | Promise<McpResult>;

export async function dispatch(era: Era, session: Session, message: McpMessage): Promise<McpResult> {
  const method = METHODS[era].get(message.method);
  if (!method) throw rpcErrors.unknownMethod(message.method.slice(0, 100), era === 'modern' ? 404 : 200);
  // `callTool` records the agent itself.
  if (message.method !== 'tools/call') await recordAgent(session, message);
  return method(session, message);
}

/** Logs a failure instead of failing the request. */
async function recordAgent({ ctx, userAgent }: Session, { params }: McpMessage): Promise<void> {
  try {
    await getAgentGuard().recordPresence(ctx, findClientName(params, userAgent));
  } catch (error) {
    ctx.log.warn({ err: error, requestId: ctx.requestId }, 'could not record an agent');
  }
}

const SHARED_METHODS: [string, McpMethod][] = [
  ['tools/list', listTools],
  ['tools/call', callTool],
  ['resources/list', listResources],
  ['resources/templates/list', listTemplates],
  ['resources/read', readResource],
  ['prompts/list', listPrompts],
  ['prompts/get', getPrompt],
  ['completion/complete', complete],
];

const METHODS: Record<Era, Map<string, McpMethod>> = {
  legacy: new Map([['initialize', initialize], ['ping', () => ({ members: '' })], ...SHARED_METHODS]),
  modern: new Map([['server/discover', () => DISCOVERY], ...SHARED_METHODS]),
};

/** Handles `initialize`. For an unsupported revision, offers the newest one that supports `initialize`. */
function initialize(_session: Session, { params }: McpMessage): McpResult {
  const { protocolVersion: requestedVersion } = params;
  const protocolVersion = isLegacyRevision(requestedVersion) ? requestedVersion : LEGACY_REVISIONS[0];
  return {
    members: stringifyMembers({
      protocolVersion,
      capabilities: MCP_CAPABILITIES,
      serverInfo: MCP_SERVER_INFO,
      instructions: MCP_INSTRUCTIONS,
    }),
  };
}

const DISCOVERY: McpResult = {
  members: stringifyMembers({
    supportedVersions: MCP_REVISIONS,
    capabilities: MCP_CAPABILITIES,
    instructions: MCP_INSTRUCTIONS,
  }),
  cacheable: true,
};
