import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { ADMIN_GROUP } from '../roles.ts';

const MAX_LISTED_CALLS = 200;

const AgentCallLine = defineTypedShape('AgentCall', 'A call made by an agent, as shown to its user.', {
  id: { type: 'ID', description: 'Id in the call log.' },
  at: { type: 'DateTime', description: 'When the call was made.' },
  tool: { type: 'String', description: 'Tool that was called.' },
  modelName: {
    type: 'String',
    nullable: true,
    description: 'Technical name of the model. Null if the call does not refer to a model.',
  },
  outcome: {
    type: 'String',
    nullable: true,
    description:
      'Outcome of the call: `done`, `asked` (for confirmation), `held` (for approval by a person) or ' +
      '`refused`. Null for calls made before outcomes were recorded.',
  },
  error: {
    type: 'String',
    nullable: true,
    description: 'Reason for the rejection. Null if the call was not rejected.',
  },
  summary: {
    type: 'String',
    nullable: true,
    description: 'Arguments of the call, without secrets or message contents.',
  },
  recordCount: { type: 'Int', description: 'Number of records that the call returned, counted or changed.' },
  requestId: {
    type: 'String',
    nullable: true,
    description: 'Id of the request in the server logs.',
  },
  undoToken: {
    type: 'String',
    nullable: true,
    description:
      'Token that undoes the call with `mailUndo`. Null if the call cannot be undone or was made for another user.',
  },
});

export const agentCalls = defineOperation('agentCalls', {
  effects: ['reads'],
  policy: { auth: ['USER'], scope: 'read' },
  description:
    'Lists the calls of your agents, newest first. Administrators can list the calls of any agent.',
  args: (arg) => ({
    agentId: arg.recordId({ required: true, description: 'Agent whose calls are listed.' }),
    before: arg.recordId({ description: 'Only calls made before the call with this id.' }),
    first: arg.int({
      defaultValue: 50,
      description: `Maximum number of calls, up to ${MAX_LISTED_CALLS}.`,
    }),
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
  if (first < 1 || first > MAX_LISTED_CALLS)
    throw errors.badValue(`first: must be a whole number from 1 to ${MAX_LISTED_CALLS}`);
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
