import type { Db } from '../../../src/db/db.ts';
import { NOW_ROW } from '../../../src/db/now.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import { getSharedDb } from '../../../src/engine/ctx/batcher.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { AgentCall, ProgramName } from '../../../src/engine/operation/agent.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { buildAgentRefSql, getAgent } from '../get-agent.ts';

type Param = ReturnType<typeof sql.param>;

export interface AgentCounts {
  id: number;
  calls: number;
  minute: number;
  /** Reason for rejecting the call. Empty if it is admitted. */
  verdict: '' | 'revoked' | 'calls' | 'minute' | 'tool' | 'sends' | 'changes';
  most_calls: number | null;
  most_minute: number;
  most_sends: number | null;
  most_changes: number | null;
  confirmation: 'agent' | 'token' | 'person';
  holds: string[];
  /** Seconds left in the current minute and day. */
  minute_left: number;
  day_left: number;
}

/**
 * Counts the agent's calls, and their sends and changes unless a limit rejects them. Counting and checking in one
 * statement prevents concurrent calls from exceeding a limit.
 */
export async function count(ctx: Ctx, call: AgentCall, calls: number): Promise<AgentCounts> {
  const counts = await countRegistered(ctx, call, calls);
  if (counts) return counts;
  await registerAgent(ctx, call);
  return (await countRegistered(ctx, call, calls))!;
}

async function countRegistered(ctx: Ctx, call: AgentCall, calls: number): Promise<AgentCounts | undefined> {
  const statement = buildCountSql(ctx, call, calls);
  const isShared = getAgent(ctx.principal!)!.kind === 'oauth' && (call.sends > 0 || call.changes > 0);
  const db = getSharedDb([{ ctx }]);
  if (!isShared) return (await db.rows<AgentCounts>(statement))[0];
  return db.transaction(async (tx) => {
    await lockSharedBudget(tx, sql.param(ctx.workspace.id), sql`${ctx.principal!.userId}::int`);
    return (await tx.rows<AgentCounts>(statement))[0];
  });
}

/**
 * Lets only one of a user's connected agents count at a time. Otherwise, each could use up what is left of their shared
 * budget.
 */
const lockSharedBudget = (tx: Db, workspace: Param, user: Sql): Promise<unknown> =>
  tx.rows(
    sql`select id from svc_agent where workspace_id = ${workspace} and user_id = ${user} and kind = 'oauth'
     order by id limit 1 for no key update`,
  );

export async function updateAgentLastSeen(ctx: Ctx, client: ProgramName | null): Promise<void> {
  const agent = getAgent(ctx.principal!)!;
  const workspace = sql.param(ctx.workspace.id);
  const updatedRows = await ctx.runtime.db.rows(
    sql`update svc_agent set last_seen_at = now(), client_name = coalesce(${getReportedName(client)}, client_name)
     where workspace_id = ${workspace} and kind = ${agent.kind} and ref = ${buildAgentRefSql(workspace, agent)}
     returning 1`,
  );
  if (updatedRows.length === 0) await registerAgent(ctx, { client });
}

/**
 * Returns the declared name. Null keeps the stored name, because clients of older protocol revisions declare their name
 * only once.
 */
const getReportedName = (client: ProgramName | null): string | null =>
  client?.isDeclared ? client.text : null;

async function registerAgent(ctx: Ctx, { client: clientName }: Pick<AgentCall, 'client'>): Promise<void> {
  const client = clientName?.text ?? ctx.principal!.agent!.clientName.slice(0, limits.agent.clientName);
  const agent = getAgent(ctx.principal!)!;
  const workspace = sql.param(ctx.workspace.id);
  const addedRows = await ctx.runtime.db.rows(
    sql`insert into svc_agent (workspace_id, id, user_id, kind, ref, client_name)
     values (${workspace}, ${await allocateId(ctx, 'svc_agent')}, ${ctx.principal!.userId}, ${agent.kind},
       ${buildAgentRefSql(workspace, agent)}, ${client})
     on conflict (workspace_id, kind, ref) do nothing returning 1`,
  );
  const isOrdinary = agent.kind === 'key' && ctx.principal!.agentKey === null;
  if (addedRows.length > 0 && isOrdinary)
    ctx.log.warn({ workspace: ctx.workspace.slug, keyId: ctx.principal!.keyId }, ORDINARY_KEY_ERROR);
}

const ORDINARY_KEY_ERROR =
  'a key that was not made for agents has called the MCP server: it can no longer create keys or invite users. ' +
  'Make keys for agents with "key create --groups"';

function buildCountSql(ctx: Ctx, call: AgentCall, calls: number): Sql {
  const agent = getAgent(ctx.principal!)!;
  const workspace = sql.param(ctx.workspace.id);
  const key = sql.param(agent.kind === 'key' ? Number(agent.ref) : 0);
  const own = sql`x.kind = ${agent.kind} and x.ref = ${buildAgentRefSql(workspace, agent)}`;
  const tool = sql.param(call.tool);
  const verdict = buildVerdict(call, calls, tool);
  const isCounted = sql`${verdict} = ''`;
  const toolCounts = sql`case when a.minute = b.minute then a.minute_tools else '{}'::jsonb end`;
  const ofTool =
    call.perMinute === null
      ? toolCounts
      : sql`jsonb_set(${toolCounts}, array[${tool}::text], (${buildToolCallsSql(tool)} + 1)::text::jsonb)`;
  return sql`with counted as (
      update svc_agent a set client_name = coalesce(${getReportedName(call.client)}, a.client_name),
        last_call_at = b.now, last_seen_at = b.now,
        call_count = least(a.call_count::int8 + ${calls}, 2147483647)::int,
        day = b.day, calls_of_day = ${buildTodayCountSql('calls_of_day')} + ${calls},
        sends_of_day = ${buildTodayCountSql('sends_of_day')}
          + case when ${isCounted} then ${call.sends}::int else 0 end,
        changes_of_day = ${buildTodayCountSql('changes_of_day')}
          + case when ${isCounted} then ${call.changes}::int else 0 end,
        minute = b.minute, minute_calls = ${MINUTE_CALLS} + ${calls}, minute_tools = ${ofTool},
        verdict = ${verdict}
      from (${buildLimitsSql(workspace, key, own)}) b
      where a.workspace_id = ${workspace} and a.kind = ${agent.kind}
        and a.ref = ${buildAgentRefSql(workspace, agent)}
      returning a.workspace_id, a.id, (a.calls_of_day + b.other_calls)::float8 as calls,
        (a.minute_calls + b.other_minute)::float8 as minute, a.verdict, b.most_calls,
        b.most_minute, b.most_sends, b.most_changes, b.confirmation, b.holds,
        extract(epoch from b.minute + interval '1 minute' - b.now)::float8 as minute_left,
        extract(epoch from b.day + interval '1 day' - b.now)::float8 as day_left
    )
    select c.* from counted c, (select set_config('synchronous_commit', 'off', true)) relaxed
    where c.workspace_id = ${workspace}`;
}

const buildTodayCountSql = (column: string): Sql =>
  sql`case when a.day = b.day then ${sql.id('a', column)} else 0 end`;
const MINUTE_CALLS = sql`case when a.minute = b.minute then a.minute_calls else 0 end`;
const buildToolCallsSql = (tool: Param): Sql =>
  sql`case when a.minute = b.minute then coalesce((a.minute_tools ->> ${tool}::text)::int, 0) else 0 end`;

/** Returns SQL for the first limit that the calls would exceed. Empty string if there is none. */
function buildVerdict({ sends, changes, perMinute }: AgentCall, calls: number, tool: Param): Sql {
  const budget = sql.literal(limits.agent.budget);
  return sql`case
      when a.revoked_at is not null then 'revoked'
      when ${buildTodayCountSql('calls_of_day')} + b.other_calls + ${calls} > coalesce(b.most_calls, ${budget})
        then 'calls'
      when ${MINUTE_CALLS} + b.other_minute + ${calls} > b.most_minute then 'minute'
      when ${perMinute === null ? sql`false` : sql`${buildToolCallsSql(tool)} + 1 > ${perMinute}::int`} then 'tool'
      when ${sends}::int > 0
        and ${buildTodayCountSql('sends_of_day')} + b.other_sends + ${sends}::int > coalesce(b.most_sends, ${budget})
        then 'sends'
      when ${changes}::int > 0 and ${buildTodayCountSql('changes_of_day')} + b.other_changes + ${changes}::int
        > coalesce(b.most_changes, ${budget})
        then 'changes'
      else '' end`;
}

/**
 * Each limit is the stricter of the key's and the workspace's. A user's connected agents share their limits, because
 * any program can register as a new client.
 * @param own the condition that selects the agent `x`
 */
const buildLimitsSql = (workspace: Param, key: Param | Sql, own: Sql): Sql =>
  sql`select n.now, n.now::date as day, date_trunc('minute', n.now) as minute,
      least(k.calls_per_day, p.calls_per_day) as most_calls, least(k.sends_per_day, p.sends_per_day) as most_sends,
      least(k.changes_per_day, p.changes_per_day) as most_changes,
      coalesce(p.calls_per_minute, ${sql.literal(limits.agent.callsPerMinute)}) as most_minute,
      coalesce(p.confirmation, 'agent') as confirmation, coalesce(p.holds, '{}') as holds, s.*
    from ${NOW_ROW}
    cross join lateral (select
        coalesce(sum(o.calls_of_day) filter (where o.day = n.now::date), 0) as other_calls,
        coalesce(sum(o.sends_of_day) filter (where o.day = n.now::date), 0) as other_sends,
        coalesce(sum(o.changes_of_day) filter (where o.day = n.now::date), 0) as other_changes,
        coalesce(sum(o.minute_calls) filter (where o.minute = date_trunc('minute', n.now)), 0) as other_minute
      from svc_agent x
      join svc_agent o on o.workspace_id = ${workspace} and o.user_id = x.user_id and o.kind = 'oauth' and o.id <> x.id
      where x.workspace_id = ${workspace} and x.kind = 'oauth' and ${own}) s
    left join svc_api_key k on k.workspace_id = ${workspace} and k.id = ${key}::int
    left join svc_agent_policy p on p.workspace_id = ${workspace}`;

/**
 * Counts the sends and changes of an approved action, or further changes of a running call, in the current transaction.
 * @throws USER_ERROR if they would exceed the daily limit
 */
export async function chargeAgent(
  ctx: Ctx,
  agentId: number,
  { sends, changes }: { sends: number; changes: number },
): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const budget = sql.literal(limits.agent.budget);
  const own = sql`x.id = ${agentId}::int`;
  const user = sql`(select x.user_id from svc_agent x
    where x.workspace_id = ${workspace} and x.kind = 'oauth' and ${own})`;
  await lockSharedBudget(ctx.db, workspace, user);
  const rows = await ctx.db.rows(
    sql`update svc_agent a set day = b.day,
       calls_of_day = ${buildTodayCountSql('calls_of_day')},
       sends_of_day = ${buildTodayCountSql('sends_of_day')} + ${sends}::int,
       changes_of_day = ${buildTodayCountSql('changes_of_day')} + ${changes}::int
     from (${buildLimitsSql(workspace, selectAgentKey(workspace, agentId), own)}) b
     where a.workspace_id = ${workspace} and a.id = ${agentId}
       and (${sends}::int = 0
         or ${buildTodayCountSql('sends_of_day')} + b.other_sends + ${sends}::int <= coalesce(b.most_sends, ${budget}))
       and (${changes}::int = 0 or ${buildTodayCountSql('changes_of_day')} + b.other_changes + ${changes}::int
         <= coalesce(b.most_changes, ${budget}))
     returning a.id`,
  );
  if (rows.length === 0)
    throw errors.user(
      "The call would exceed the agent's daily limit, so nothing has been changed. Try again tomorrow.",
    );
}

const selectAgentKey = (workspace: Param, agentId: number): Sql =>
  sql`(select case when x.kind = 'key' then x.ref::int else 0 end from svc_agent x
    where x.workspace_id = ${workspace} and x.id = ${agentId})`;

export async function refundAgent(
  ctx: Ctx,
  agentId: number,
  { sends, changes }: { sends: number; changes: number },
): Promise<void> {
  await ctx.runtime.db.rows(
    sql`update svc_agent a set sends_of_day = greatest(0, a.sends_of_day - ${sends}::int),
       changes_of_day = greatest(0, a.changes_of_day - ${changes}::int)
     from ${NOW_ROW}
     where a.workspace_id = ${ctx.workspace.id} and a.id = ${agentId} and a.day = n.now::date`,
  );
}
