import { type CallUsage, countChangedRecords, createCallUsage } from '../../../src/engine/ctx/call-usage.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { hasOnlyReads } from '../../../src/engine/model/effects.ts';
import { type AgentTerms, getAgentGuard, type UndoStep } from '../../../src/engine/operation/agent.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import type { McpMessage } from '../protocol/message.ts';
import type { Session } from '../session.ts';
import { buildConfirmationRequest, type Tool, type ToolResult, toToolResult } from '../tool.ts';
import { findClientName } from './client-name.ts';
import { hasPreview, omitConfirmation } from './confirm-argument.ts';
import {
  type ConfirmTokenKind,
  computeCallDigest,
  createConfirmToken,
  verifyConfirmToken,
} from './confirmation.ts';
import { confirmationForm, parsePersonReply } from './confirmation-form.ts';
import { type CallEffects, getActionKind } from './effects.ts';
import { computeExpectedUsage, type ExpectedUsage, MAX_CALLS_PER_MINUTE } from './expected-usage.ts';

export interface GuardedCall {
  session: Session;
  tool: Tool;
  effects: CallEffects;
  args: Record<string, unknown>;
  params: McpMessage['params'];
}

type GuardedRun = Omit<GuardedCall, 'session' | 'effects'> & {
  session: Pick<Session, 'ctx' | 'registry' | 'notify'>;
  counted: { agentId: number; expected: ExpectedUsage } | null;
};

/**
 * Runs a call within the workspace's policy for the agent: counts it, requires the configured confirmation, and holds
 * it if a person must decide.
 * @param onAgent receives the agent's id before anything is changed
 * @throws AppError
 */
export async function runGuardedCall(
  call: GuardedCall,
  onAgent: (agentId: number) => void,
): Promise<ToolResult> {
  const { session, tool, effects } = call;
  const { ctx } = session;
  const expected = computeExpectedUsage(tool, effects);
  const kind = getActionKind(effects);
  const pendingTerms = getAgentGuard().admit(ctx, {
    tool: kind ?? tool.name,
    client: findClientName(call.params, session.userAgent),
    ...expected,
    perMinute: kind && MAX_CALLS_PER_MINUTE[kind],
  });
  if (isReadOnly(call) && getAgentGuard().hasRoom(ctx)) return runWhileCounting(call, pendingTerms, onAgent);
  const terms = await pendingTerms;
  onAgent(terms.agentId);
  return withCountedUsage(ctx, terms.agentId, expected, async () => {
    const outcome = await executeCall(call, terms);
    if (outcome.confirmation || outcome.isHeld) return outcome;
    return outcome.undo ? { ...outcome, undoToken: await storeUndo(ctx, outcome.undo) } : outcome;
  });
}

/** True if the call only reads and never waits for a person. */
const isReadOnly = ({ tool, effects }: GuardedCall): boolean =>
  tool.scope === 'read' && hasOnlyReads(effects.effects) && !hasPreview(tool);

/**
 * Runs the read while the call is counted, and discards the result if the call is rejected. An agent with an earlier
 * rejection waits for the count first, so that calls over a limit read nothing.
 */
async function runWhileCounting(
  call: GuardedCall,
  pendingTerms: Promise<AgentTerms>,
  onAgent: (agentId: number) => void,
): Promise<ToolResult> {
  const [terms, outcome] = await Promise.allSettled([
    pendingTerms,
    runTool({ ...call, counted: null }, false),
  ]);
  if (terms.status === 'rejected') throw terms.reason;
  onAgent(terms.value.agentId);
  if (outcome.status === 'rejected') throw outcome.reason;
  return outcome.value;
}

/** Runs a counted call and refunds the amounts that it did not use. */
export async function withCountedUsage(
  ctx: Ctx,
  agentId: number,
  expected: ExpectedUsage,
  act: () => Promise<ToolResult>,
): Promise<ToolResult> {
  let result: ExpectedUsage = { sends: 0, changes: 0 };
  try {
    const outcome = await act();
    if (!outcome.confirmation && !outcome.isHeld) result = computeActualUsage(expected, outcome);
    return outcome;
  } finally {
    const remaining = { sends: expected.sends - result.sends, changes: expected.changes - result.changes };
    if (remaining.sends + remaining.changes > 0)
      // A failed refund must not replace the outcome of the call.
      await getAgentGuard()
        .refund(ctx, agentId, remaining)
        .catch((error) => ctx.log.error({ err: error }, 'could not refund the unused budget of an agent'));
  }
}

/** Returns null on a storage error, because the change has already been made. */
const storeUndo = (ctx: Ctx, steps: readonly UndoStep[]): Promise<string | null> =>
  steps.length === 0
    ? Promise.resolve(null)
    : getAgentGuard()
        .storeUndo(ctx, steps)
        .catch(() => null);

async function executeCall(call: GuardedCall, terms: AgentTerms): Promise<ToolResult> {
  // Without a preview, the call would take effect immediately, so a person decides based on its arguments.
  if (hasHeldEffect(call, terms) && !hasPreview(call.tool)) return holdForApproval(call, terms, {});
  const isConfirmed = await hasConfirmation(call, terms);
  const isHeld = mustBeHeld(call, terms);
  const { agentId } = terms;
  const expected = computeExpectedUsage(call.tool, call.effects);
  const countedCall = { ...call, counted: { agentId, expected } };
  if (isConfirmed && !isHeld) return runTool(countedCall, true);
  const result = await runTool(countedCall, false, hasHeldEffect(call, terms));
  // If the tool requests no confirmation, the call has already taken effect.
  if (!result.confirmation) return result;
  return isConfirmed
    ? holdForApproval(call, terms, result.confirmation, result.summary)
    : buildConfirmRequest(call, terms, { ...result, confirmation: result.confirmation });
}

/**
 * Runs a tool. A tool that writes runs in a transaction, which an error rolls back. @param isDecided see ToolCallInput
 */
export async function runTool(
  { session, tool, args: callArgs, params, counted }: GuardedRun,
  isConfirmed: boolean,
  isDecided = false,
): Promise<ToolResult> {
  const { ctx, registry, notify } = session;
  const { confirm_token: _, ...args } = callArgs;
  const run = (inner: Ctx) =>
    tool.run({
      ctx: inner,
      args,
      confirmed: isConfirmed,
      decided: isDecided,
      tools: registry.tools,
      params,
      notify,
    });
  return tool.scope === 'write' && !tool.waits
    ? withTransaction(ctx, run, {
        counted,
        maxChanges: isConfirmed || !hasPreview(tool) ? null : limits.mcp.unconfirmed,
      })
    : run(ctx);
}

/** Thrown to roll back a tool's transaction. Carries the result out of it. */
class RollbackError extends Error {
  readonly result: ToolResult;
  constructor(result: ToolResult) {
    super('undone');
    this.result = result;
  }
}

async function withTransaction(
  ctx: Ctx,
  run: (ctx: Ctx) => Promise<ToolResult>,
  { counted, maxChanges }: { counted: GuardedRun['counted']; maxChanges: number | null },
): Promise<ToolResult> {
  try {
    return await ctx.tx(async (tx) => {
      const callUsage = createCallUsage();
      const result = await run(tx.with({ callUsage }));
      if (result.isError) throw new RollbackError(result);
      const changedCount = countChangedRecords(callUsage);
      if (maxChanges !== null && changedCount > maxChanges)
        throw new RollbackError(buildConfirmationRequest({}, `change ${changedCount} records`));
      if (counted) await chargeFurtherUsage(tx, counted, callUsage);
      return result;
    });
  } catch (error) {
    if (error instanceof RollbackError) return error.result;
    throw error;
  }
}

/**
 * Counts the effects that the arguments did not reveal, such as the other events of a recurrence, or the invitations of
 * several attendees.
 * @throws USER_ERROR if they exceed the daily limit
 */
async function chargeFurtherUsage(
  tx: Ctx,
  { agentId, expected }: NonNullable<GuardedRun['counted']>,
  callUsage: CallUsage,
): Promise<void> {
  const sends = Math.max(0, callUsage.sentMessages - expected.sends);
  const changes = Math.max(0, countChangedRecords(callUsage) - expected.changes);
  if (sends + changes > 0) await getAgentGuard().charge(tx, agentId, { sends, changes });
}

/** A message that the transport rejected does not count as sent. */
const computeActualUsage = (expected: ExpectedUsage, { count }: ToolResult): ExpectedUsage =>
  expected.sends > 0 && count === 0 ? { sends: 0, changes: 0 } : expected;

/** Returns true if a call that needs confirmation must wait for a person's decision. */
function mustBeHeld(call: GuardedCall, terms: AgentTerms): boolean {
  if (terms.holds.includes('confirmed') || hasHeldEffect(call, terms)) return true;
  return terms.confirmation === 'person' && !canAskPerson(call.session, call.params);
}

const hasHeldEffect = ({ effects }: GuardedCall, { holds: kinds }: AgentTerms): boolean =>
  effects.effects.some((effect) => kinds.includes(effect));

const canAskPerson = ({ revision }: Session, { _meta }: McpMessage['params']): boolean =>
  confirmationForm.can(revision, _meta);

/**
 * Returns true if the call has the confirmation that the workspace requires. Consumes the token or the user's approval.
 */
async function hasConfirmation(call: GuardedCall, { confirmation }: AgentTerms): Promise<boolean> {
  const { args, params, session } = call;
  if (typeof args.confirm_token === 'string') {
    if (!(await spendToken(call, 'confirm', args.confirm_token)))
      throw errors.user(
        'This confirm_token has already been used, has expired, or was issued for other arguments. ' +
          'Request a new preview.',
      );
    return confirmation !== 'person' || !canAskPerson(session, params);
  }
  if (confirmation === 'person' && canAskPerson(session, params)) return isApproved(call);
  return args.confirm === true && confirmation !== 'token';
}

/** @throws USER_ERROR if the user declined */
async function isApproved(call: GuardedCall): Promise<boolean> {
  const reply = parsePersonReply(call.params);
  if (reply === null) return false;
  if (!(await spendToken(call, 'person', reply.state)))
    throw errors.user(
      'This requestState has already been used, has expired, or was issued for other arguments. Call the tool again.',
    );
  if (!reply.approves) throw errors.user('A person has rejected this action. Do not request it again.');
  return true;
}

async function spendToken(call: GuardedCall, kind: ConfirmTokenKind, text: string): Promise<boolean> {
  const { ctx } = call.session;
  const token = verifyConfirmToken(ctx, buildTokenScope(call, kind), text);
  return token !== null && (await getAgentGuard().consumeConfirmation(ctx, token.nonce, token.until));
}

const buildTokenScope = ({ tool: { name: tool }, args }: GuardedCall, kind: ConfirmTokenKind) => ({
  kind,
  tool,
  digest: computeCallDigest(tool, omitConfirmation(args)),
});

type ConfirmRequest = ToolResult & { confirmation: Record<string, unknown> };

function buildConfirmRequest(call: GuardedCall, terms: AgentTerms, preview: ConfirmRequest): ToolResult {
  const { confirmation } = terms;
  const { session, tool, params, args } = call;
  if (confirmation === 'person' && canAskPerson(session, params)) {
    const state = createConfirmToken(session.ctx, buildTokenScope(call, 'person'));
    return {
      ...preview,
      input: confirmationForm.request(tool.title, buildFormFacts(preview, args), state),
    };
  }
  const token = createConfirmToken(session.ctx, buildTokenScope(call, 'confirm'));
  const nextStep = JSON.stringify({
    ...(confirmation === 'token' && { confirm_with: 'confirm_token' }),
    next_step:
      `Call again with ${confirmation === 'token' ? 'this confirm_token' : 'confirm: true'} to proceed.` +
      (mustBeHeld(call, terms) ? ' A person then decides.' : ''),
    confirm_token: token,
  });
  const { text, displayText } = preview;
  return {
    ...preview,
    text: `${text.slice(0, -1)},${nextStep.slice(1)}`,
    ...(displayText !== undefined && { displayText: `${displayText}\nconfirm_token: ${token}` }),
  };
}

/** Builds the data for the person who decides: the preview and all arguments. */
const buildDecisionFacts = (confirmation: Record<string, unknown>, args: Record<string, unknown>) => ({
  ...confirmation,
  arguments: omitConfirmation(args),
});

const buildFormFacts = ({ confirmation, summary }: ConfirmRequest, args: Record<string, unknown>) => ({
  ...(summary !== undefined && { message: `This would ${summary}.` }),
  ...buildDecisionFacts(confirmation, args),
});

async function holdForApproval(
  call: GuardedCall,
  { agentId }: AgentTerms,
  preview: Record<string, unknown>,
  summary: string | null = null,
): Promise<ToolResult> {
  const { session, tool, args } = call;
  const heldArgs = omitConfirmation(args);
  const id = await getAgentGuard().holdAction(session.ctx, {
    agentId,
    tool: tool.name,
    title: tool.title,
    modelName: typeof args.model === 'string' ? args.model : null,
    summary,
    preview: buildDecisionFacts(preview, args),
    arguments: heldArgs,
    digest: computeCallDigest(tool.name, heldArgs),
  });
  const message =
    'Nothing has been done yet. A person in the workspace has to approve this action. Do not request it ' +
    'again; tell the user.';
  return { ...toToolResult({ held: true, held_action_id: id, message }, 0), isHeld: true };
}
