import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { errors } from '../../src/errors.ts';
import { getAgent } from './get-agent.ts';

/**
 * Rejects a key that has called the MCP server, in every facade, because only people may make these decisions.
 * @throws FORBIDDEN
 */
export async function rejectAgents(ctx: Ctx): Promise<void> {
  if (ctx.channel === 'mcp') throw errors.notAllowed('Agents cannot perform this operation.');
  const { principal } = ctx;
  if (!principal) return;
  // A session opened with a key as its password is treated as that key.
  const agent =
    getAgent(principal) ?? (principal.keyId === null ? null : { kind: 'key', ref: String(principal.keyId) });
  if (!agent) return;
  const { kind, ref } = agent;
  const agentRows = await ctx.db.rows(
    sql`select 1 from svc_agent where workspace_id = ${ctx.workspace.id} and kind = ${kind} and ref = ${ref}`,
  );
  if (agentRows.length > 0)
    throw errors.notAllowed(
      'Agents cannot perform this operation. Sign in, or use a key that no agent has used.',
    );
}
