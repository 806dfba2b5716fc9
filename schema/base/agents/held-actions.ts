import { type Sql, sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineModel } from '../../../src/engine/model/registry.ts';
import type { PendingAgentRequest } from '../../../src/engine/operation/agent.ts';
import { emitEvent } from '../../../src/engine/work/events.ts';
import { definePurgeJob } from '../../../src/engine/work/purge.ts';
import { errors } from '../../../src/errors.ts';
import { toStorableJson } from '../../../src/json.ts';
import { limits } from '../../../src/limits.ts';
import { agentRules } from './agent.ts';
import { maskSecrets, renderPreview } from './preview-text.ts';

/** Per workspace. */
const MAX_PENDING_ACTIONS = 100;
export const MAX_PENDING_ACTIONS_PER_AGENT = 20;
const PENDING_ACTION_DAYS = 7;
/** An approved action without an outcome is marked as failed after this time. */
const RUNNING_TIMEOUT_MINUTES = 15;
const MAX_ARGUMENT_BYTES = 1024 * 1024;

defineModel('svc.agent.held', {
  group: 'data',
  display: 'title',
  order: 'id desc',
  access: { 'base.group_user': 'r' },
  ceiling: 'r',
  rules: agentRules,
  // An action expires before the job stores that it has.
  shows: {
    state: (state, row) =>
      sql`case when ${state} = 'waiting' and ${row}.expires_at <= now() then 'expired' else ${state} end`,
  },
  graph: { type: 'HeldAction', one: 'heldAction', many: 'heldActions', writes: false },
});

/**
 * Stores an agent's request until a person decides. Returns the id of an identical pending request if there is one.
 * @throws USER_ERROR if too many actions are pending
 */
export const holdAction = (ctx: Ctx, request: PendingAgentRequest): Promise<number> =>
  ctx.tx((tx) => insertHeldAction(tx, request));

async function insertHeldAction(ctx: Ctx, request: PendingAgentRequest): Promise<number> {
  const { agentId, digest } = request;
  const workspace = sql.param(ctx.workspace.id);
  // Prevents concurrent requests from exceeding the limits.
  await ctx.db.rows(sql`select pg_advisory_xact_lock(hashtext('held actions'), ${workspace}::int)`);
  const [state] = await ctx.db.rows<{ same_id: number | null; agent_count: number; count: number }>(
    sql`select (min(id) filter (where agent_id = ${agentId} and digest = ${digest})) as same_id,
       count(*) filter (where agent_id = ${agentId})::int as agent_count, count(*)::int as count
     from svc_agent_held where workspace_id = ${workspace} and state = 'waiting' and expires_at > now()`,
  );
  const { same_id: sameId, agent_count: agentCount, count } = state!;
  if (sameId !== null) return sameId;
  if (agentCount >= MAX_PENDING_ACTIONS_PER_AGENT || count >= MAX_PENDING_ACTIONS)
    throw errors.user(
      'Too many actions are waiting for approval. Try again after some of them have been approved or rejected.',
    );
  return insert(ctx, request);
}

async function insert(ctx: Ctx, request: PendingAgentRequest): Promise<number> {
  const id = await allocateId(ctx, 'svc_agent_held');
  const { agentId, tool, title, modelName, summary, digest } = request;
  const preview = maskSecrets(request.preview);
  const argumentsJson = toStorableJson(request.arguments);
  if (Buffer.byteLength(argumentsJson) > MAX_ARGUMENT_BYTES)
    throw errors.user(
      `The arguments of an action that requires a person's approval are limited to ${MAX_ARGUMENT_BYTES} bytes.`,
    );
  await ctx.db.rows(
    sql`insert into svc_agent_held (workspace_id, id, agent_id, user_id, tool, title, model_name, summary, preview,
       preview_json, arguments, digest, scopes, expires_at)
     values (${ctx.workspace.id}, ${id}, ${agentId}, ${ctx.principal!.userId}, ${tool}, ${title}, ${modelName},
       ${summary}, ${renderPreview(preview)}, ${toStorableJson(preview)}::json, ${argumentsJson}::jsonb, ${digest},
       ${ctx.principal!.scopes ?? []}, now() + make_interval(days => ${sql.literal(PENDING_ACTION_DAYS)}))`,
  );
  await emitEvent(ctx, 'agent.held', { id: String(id), agentId: String(agentId), tool, title });
  return id;
}

const buildRetention = (time: string, from: string, to: Sql, before: Sql) => ({
  table: 'svc_agent_held',
  time,
  before,
  key: { id: 'bigint' as const },
  also: () => sql`t.state = ${from}`,
  change: sql`update svc_agent_held t set ${to}`,
});

/** Outcome of an approved action whose process ended before storing one. */
const INTERRUPTED_ERROR = 'It was interrupted, and may have been carried out.';

definePurgeJob(
  'agent-held-expire',
  '*/10 * * * *',
  buildRetention('expires_at', 'waiting', sql`state = 'expired', arguments = '{}'`, sql`now()`),
  buildRetention(
    'decided_at',
    'running',
    sql`state = 'failed', error = ${INTERRUPTED_ERROR}, arguments = '{}'`,
    sql`now() - make_interval(mins => ${sql.literal(RUNNING_TIMEOUT_MINUTES)})`,
  ),
);

/** Decided actions are kept as long as the log entries that mention them. */
definePurgeJob('agent-held-purge', '23 3 * * *', {
  table: 'svc_agent_held',
  time: 'create_date',
  before: sql`now() - make_interval(days => ${sql.literal(limits.call.auditDays)})`,
  key: { id: 'bigint' },
});
