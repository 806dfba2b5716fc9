import { type AgentTerms, getAgentGuard } from '../../../src/engine/operation/agent.ts';
import { errors } from '../../../src/errors.ts';
import type { McpMessage } from '../protocol/message.ts';
import type { Session } from '../session.ts';
import { hasScope } from '../tool-roles.ts';
import { findClientName } from './client-name.ts';
import { allowsTool, type FilteredTool } from './tool-filter.ts';

/**
 * Counts a read outside a tool call as a call.
 * @throws NOT_ALLOWED if the caller may not read, BUSY with the wait time if the rate limit is exceeded
 */
export async function countRead(session: Session, message: McpMessage): Promise<void> {
  checkReadScope(session);
  await countCall(session, message);
}

/**
 * Counts a call that neither sends nor changes anything.
 * @throws BUSY with the wait time if the rate limit is exceeded
 */
export function countCall({ ctx, userAgent }: Session, { method, params }: McpMessage): Promise<AgentTerms> {
  const client = findClientName(params, userAgent);
  return getAgentGuard().admit(ctx, { tool: method, client, sends: 0, changes: 0, perMinute: null });
}

function checkReadScope({ ctx }: Session): void {
  if (!hasScope(ctx.principal!, 'read')) throw errors.scopeNeeded('read');
}

/** Returns true if the connection exposes the equivalent tool, or no tool is equivalent. */
export const allowsResource = ({ narrowing }: Session, { like }: { like?: FilteredTool }): boolean =>
  like === undefined || allowsTool(narrowing, like);
