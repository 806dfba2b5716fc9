import { NOW } from '../../../src/db/now.ts';
import { sql } from '../../../src/db/sql.ts';
import { type Ctx, createCtx, createDetachedCtx } from '../../../src/engine/ctx/ctx.ts';
import type { Principal } from '../../../src/engine/model/principal.ts';
import { runApprovedCall } from '../../../src/engine/operation/agent.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord } from '../../../src/engine/operation/record-result.ts';
import { emitEvent } from '../../../src/engine/work/events.ts';
import { AppError, errors } from '../../../src/errors.ts';
import { rejectAgents } from '../reject-agents.ts';
import { ADMIN_GROUP } from '../roles.ts';
import { loadAgentRules } from './policy.ts';

const MAX_REJECTION_REASON_CHARS = 1_000;

const returnHeldAction = returnRecord('svc.agent.held', facadeResult.id, (id: number) => id);

export const heldActionApprove = defineOperation('heldActionApprove', {
  effects: ['writes', 'sends', 'grants'],
  policy: { auth: ['USER'], scope: 'write', audit: 'agent.approve', waits: true },
  description:
    "Runs a held action with the current rights of the agent's user, and returns it with its outcome.",
  args: (arg) => ({ id: arg.recordId({ required: true, description: 'Held action.' }) }),
  ...returnHeldAction,
  run: async (ctx, { id }) => {
    const action = await decide(ctx, id, 'running', null);
    // The outcome must be stored even if the approver disconnects.
    const detachedCtx = createDetachedCtx(ctx);
    await recordOutcome(detachedCtx, action, await executeAction(detachedCtx, action));
    return id;
  },
});

export const heldActionReject = defineOperation('heldActionReject', {
  effects: ['writes'],
  policy: { auth: ['USER'], scope: 'write', audit: 'agent.reject' },
  description: 'Rejects a held action and returns it. The action is not run.',
  args: (arg) => ({
    id: arg.recordId({ required: true, description: 'Held action.' }),
    reason: arg.string({
      description: `Reason for the rejection, up to ${MAX_REJECTION_REASON_CHARS} characters.`,
    }),
  }),
  ...returnHeldAction,
  run: async (ctx, { id, reason }) => {
    if (reason && reason.length > MAX_REJECTION_REASON_CHARS)
      throw errors.badValue(`reason: must have at most ${MAX_REJECTION_REASON_CHARS} characters`);
    await decide(ctx, id, 'refused', reason ?? null);
    return id;
  },
});

interface HeldAction {
  id: number;
  agent_id: number;
  user_id: number;
  tool: string;
  title: string;
  arguments: Record<string, unknown>;
  scopes: string[];
}

/**
 * Claims a pending action. Only one of several concurrent decisions succeeds.
 * @throws NOT_FOUND if the action is not visible, FORBIDDEN if the caller may not decide, STALE if it is no longer
 * pending
 */
async function decide(ctx: Ctx, id: number, state: string, reason: string | null): Promise<HeldAction> {
  await rejectAgents(ctx);
  await checkCanDecide(ctx, id);
  return ctx.tx(async (tx) => {
    const [action] = await tx.db.rows<HeldAction>(
      sql`update svc_agent_held set state = ${state}, reason = ${reason?.replaceAll('\0', '\uFFFD') ?? null},
         decider_id = ${ctx.principal!.userId}, decided_at = ${NOW}
       where workspace_id = ${ctx.workspace.id} and id = ${id} and state = 'waiting' and expires_at > ${NOW}
       returning id, agent_id, user_id, tool, title, arguments, scopes`,
    );
    if (!action) throw await createDecidedError(tx, id);
    if (state !== 'running') {
      await deleteHeldCopy(tx, id);
      await announceDecision(tx, action, state);
    }
    return action;
  });
}

async function createDecidedError({ db, workspace }: Ctx, id: number): Promise<AppError> {
  const [decision] = await db.rows<{ state: string; decider: string | null }>(
    sql`select h.state, p.name as decider from svc_agent_held h
     left join res_users u on u.workspace_id = ${workspace.id} and u.id = h.decider_id
     left join res_partner p on p.workspace_id = ${workspace.id} and p.id = u.partner_id
     where h.workspace_id = ${workspace.id} and h.id = ${id}`,
  );
  const { state, decider } = decision ?? { state: 'expired', decider: null };
  if (state === 'waiting' || state === 'expired') return errors.stale('id', 'This action has expired.');
  const verb = state === 'refused' ? 'rejected' : 'approved';
  return errors.stale('id', `This action has already been ${verb}${decider ? ` by ${decider}` : ''}.`);
}

/** Deletes a decided action's arguments, which may contain a whole message. */
const deleteHeldCopy = (tx: Ctx, id: number): Promise<unknown> =>
  tx.db.rows(
    sql`update svc_agent_held set arguments = '{}' where workspace_id = ${tx.workspace.id} and id = ${id}`,
  );

async function checkCanDecide(ctx: Ctx, id: number): Promise<void> {
  const { groups, userId } = ctx.principal!;
  const [action] = await ctx.db.rows<{ user_id: number }>(
    sql`select user_id from svc_agent_held where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  const isAdmin = groups.has(ADMIN_GROUP);
  if (!action || !(isAdmin || action.user_id === userId)) throw errors.notFound('Held action');
  if (isAdmin) return;
  const { approvers } = await loadAgentRules(ctx);
  if (approvers !== 'owner')
    throw errors.notAllowed('Only an administrator can approve or reject held actions.');
}

interface ActionOutcome {
  state: 'done' | 'failed';
  count: number;
  error: string | null;
}

/** Executes the action with the user's current rights. */
async function executeAction(ctx: Ctx, action: HeldAction): Promise<ActionOutcome> {
  try {
    const principal = await getActingPrincipal(ctx, action);
    const { runtime, workspace, requestId } = ctx;
    const actingCtx = createCtx(runtime, { workspace, principal, channel: 'mcp', requestId, mask: true });
    const { agent_id: agentId, tool, arguments: heldArguments } = action;
    const count = await runApprovedCall({ ctx: actingCtx, agentId, tool, arguments: heldArguments });
    return { state: 'done', count, error: null };
  } catch (error) {
    if (!(error instanceof AppError))
      ctx.log.error({ err: error, requestId: ctx.requestId }, 'a held action failed');
    const message = error instanceof AppError ? error.message : errors.internal(ctx.requestId).message;
    return { state: 'failed', count: 0, error: message };
  }
}

/** Builds a principal with the agent's current rights. @throws USER_ERROR if the agent may no longer make calls */
async function getActingPrincipal(ctx: Ctx, { agent_id, user_id, scopes }: HeldAction): Promise<Principal> {
  const principal = await ctx.runtime.identity.principal(ctx.workspace.id, user_id);
  const workspace = sql.param(ctx.workspace.id);
  const [agent] = await ctx.db.rows<{ key_id: number | null; scopes: string[] | null }>(
    sql`select k.id as key_id, coalesce(k.scopes, c.scopes) as scopes
     from svc_agent a
     left join svc_api_key k on k.workspace_id = ${workspace} and a.kind = 'key' and k.id::text = a.ref
       and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
     left join svc_connected_agent c on c.workspace_id = ${workspace} and a.kind = 'oauth' and c.id::text = a.ref
       and c.revoked_at is null and c.expires_at > now()
     where a.workspace_id = ${workspace} and a.id = ${agent_id} and a.revoked_at is null
       and num_nonnulls(k.id, c.id) > 0`,
  );
  const now = agent && intersectScopes(scopes, agent.scopes ?? []);
  if (!principal || !now)
    throw errors.user('The agent has been revoked, or no longer has permission to do this.');
  return { ...principal, keyId: agent.key_id, scopes: now.length > 0 ? now : null };
}

/** Returns the scopes that both lists allow, or null if there are none. An empty list allows everything. */
function intersectScopes(grantedScopes: string[], currentScopes: string[]): string[] | null {
  if (grantedScopes.length === 0) return currentScopes;
  if (currentScopes.length === 0) return grantedScopes;
  const commonScopes = grantedScopes.filter((scope) => currentScopes.includes(scope));
  return commonScopes.length > 0 ? commonScopes : null;
}

async function recordOutcome(
  ctx: Ctx,
  action: HeldAction,
  { state, count, error }: ActionOutcome,
): Promise<void> {
  await ctx.tx(async (tx) => {
    await tx.db.rows(
      sql`update svc_agent_held set state = ${state}, record_count = ${count}, error = ${error}, arguments = '{}'
       where workspace_id = ${ctx.workspace.id} and id = ${action.id} and state = 'running'`,
    );
    await announceDecision(tx, action, state);
  });
}

const announceDecision = (tx: Ctx, { id, agent_id, tool, title }: HeldAction, state: string): Promise<void> =>
  emitEvent(tx, 'agent.decided', { id: String(id), agentId: String(agent_id), tool, title, state });
