import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { ADMIN_GROUP } from '../roles.ts';

const AgentCallLine = defineTypedShape('AgentCall', 'A call of an agent, as its user follows it.', {
  id: { type: 'ID', description: 'Id in the log of calls.' },
  at: { type: 'DateTime', description: 'When it was made.' },
  tool: { type: 'String', description: 'Tool that was called.' },
  modelName: { type: 'String', nullable: true, description: 'Technical name of the model; null for none.' },
  outcome: {
    type: 'String',
    nullable: true,
    description: '`done`, `asked` for a confirmation, `held` for a person, or `refused`; null for old calls.',
  },
  error: { type: 'String', nullable: true, description: 'Why it was refused; null when it was not.' },
  summary: { type: 'String', nullable: true, description: 'Its arguments, without secrets and contents.' },
  recordCount: { type: 'Int', description: 'Records that it was about.' },
  requestId: {
    type: 'String',
    nullable: true,
    description: 'Name of the request in the logs of the server.',
  },
  undoToken: {
    type: 'String',
    nullable: true,
    description: 'Undoes the call with `mailUndo`; null when it cannot be undone, and for another user.',
  },
});

export const agentCalls = defineOperation('agentCalls', {
  kind: 'query',
  effects: ['reads'],
  policy: { auth: ['USER'], scope: 'read' },
  description: 'What an agent has done, the newest first. Of your agents, and for administrators of all.',
  args: (arg) => ({
    agentId: arg.recordId({ required: true, description: 'Agent.' }),
    before: arg.recordId({ description: 'Only calls before the one with this id.' }),
    first: arg.int({ defaultValue: 50, description: `How many; at most ${limits.agent.callsShown}.` }),
  }),
  type: [AgentCallLine.ref] as object,
  run: (ctx, { agentId, before, first }) => loadAgentCalls(ctx, agentId, before ?? null, first ?? 50),
});

/** @throws NOT_FOUND if the agent belongs to another user, unless the caller is an administrator */
async function loadAgentCalls(
  ctx: Ctx,
  agentId: number,
  before: number | null,
  first: number,
): Promise<object[]> {
  if (first < 1 || first > limits.agent.callsShown)
    throw errors.badValue(`first: a whole number from 1 to ${limits.agent.callsShown}`);
  const workspace = sql.param(ctx.workspace.id);
  const { userId, groups } = ctx.principal!;
  const [agent] = await ctx.db.rows<{ user_id: number }>(
    sql`select user_id from svc_agent where workspace_id = ${workspace} and id = ${agentId}`,
  );
  if (!agent || !(agent.user_id === userId || groups.has(ADMIN_GROUP))) throw errors.notFound('Agent');
  const isMine = agent.user_id === userId && ctx.channel !== 'mcp';
  return ctx.db.rows(
    sql`select l.id, l.create_date as at, l.tool, l.model_name as "modelName", l.outcome, l.error, l.summary,
       l.record_count as "recordCount", l.request_id as "requestId",
       case when ${isMine} then l.undo_token end as "undoToken"
     from svc_mcp_log l where l.workspace_id = ${workspace} and l.agent_id = ${agentId}
       and (${before}::int8 is null or l.id < ${before})
     order by l.id desc limit ${first}`,
  );
}
