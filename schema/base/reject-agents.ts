import { sql } from '../../src/db/sql.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { errors } from '../../src/errors.ts';
import { buildAgentRefSql, getAgent } from './get-agent.ts';

/**
 * Rejects a key that has called the MCP server, in every facade, because only people may make these decisions.
 * @throws FORBIDDEN
 */
export async function rejectAgents(ctx: Ctx): Promise<void> {
  if (ctx.channel === 'mcp') throw errors.notAllowed('Agents cannot perform this operation.');
  const { principal } = ctx;
  if (!principal) return;
  const agent = getAgent(principal);
  if (!agent && principal.keyId === null) return;
  const workspace = sql.param(ctx.workspace.id);
  // A session opened with a key as its password is treated as that key.
  const condition = agent
    ? sql`kind = ${agent.kind} and ref = ${buildAgentRefSql(workspace, agent)}`
    : sql`kind = 'key' and ref = (select coalesce(k.replaced_by, k.id)::text from svc_api_key k
        where k.workspace_id = ${workspace} and k.id = ${principal.keyId})`;
  const agentRows = await ctx.db.rows(
    sql`select 1 from svc_agent where workspace_id = ${workspace} and ${condition}`,
  );
  if (agentRows.length > 0)
    throw errors.notAllowed(
      'Agents cannot perform this operation. Sign in, or use a key that no agent has used.',
    );
}
