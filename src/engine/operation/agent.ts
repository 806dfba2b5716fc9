import type { Ctx } from '../ctx/ctx.ts';

// Interface between the MCP facade and `schema/base/agents`, which limits and records agents' calls.

export interface ProgramName {
  text: string;
  /** True if the program declared this name. Otherwise, `text` is the name of its HTTP library. */
  isDeclared: boolean;
}

export interface AgentCall {
  /** Tool or kind of tool. `perMinute` limits its calls. */
  tool: string;
  client: ProgramName | null;
  sends: number;
  changes: number;
  /** Null if only the total number of calls is limited. */
  perMinute: number | null;
}

export interface AgentTerms {
  agentId: number;
  /** How changes are confirmed: by the agent with a flag, by the agent with the preview's token, or by a person. */
  confirmation: 'agent' | 'token' | 'person';
  /** Kinds of actions that require a person's approval. */
  holds: readonly string[];
}

export interface PendingAgentRequest {
  agentId: number;
  tool: string;
  title: string;
  modelName: string | null;
  /** Completes the sentence "The agent wants to …". Null if only the preview describes the action. */
  summary: string | null;
  preview: Record<string, unknown>;
  arguments: Record<string, unknown>;
  /** Digest of the arguments, so that a repeated request is held only once. */
  digest: string;
}

export interface UndoStep {
  method: string;
  arguments: Record<string, unknown>;
}

/** Limits and records agents' calls. Implemented in `schema/base/agents`. */
interface AgentGuard {
  /** Records that the agent is active, even if it calls no tool. */
  recordPresence(ctx: Ctx, client: ProgramName | null): Promise<void>;
  /**
   * Counts a call.
   * @throws BUSY with the time to wait if there have been too many calls
   */
  admit(ctx: Ctx, call: AgentCall): Promise<AgentTerms>;
  /** Returns true if this process recently admitted a call from the agent and has not rejected one since. */
  hasRoom(ctx: Ctx): boolean;
  /**
   * Counts the effects of a held action when it is approved, or further changes of a running call.
   * @throws USER_ERROR if the daily budget is exceeded
   */
  charge(ctx: Ctx, agentId: number, doing: { sends: number; changes: number }): Promise<void>;
  /** Refunds the part of the budget that `admit` or `charge` counted but the call did not use. */
  refund(ctx: Ctx, agentId: number, done: { sends: number; changes: number }): Promise<void>;
  /**
   * Consumes a confirmation in a separate transaction.
   * @returns false if it has already been used
   */
  consumeConfirmation(ctx: Ctx, nonce: string, expires: Date): Promise<boolean>;
  /**
   * Stores the steps with which the user can undo a call.
   * @returns the undo token
   */
  storeUndo(ctx: Ctx, steps: readonly UndoStep[]): Promise<string>;
  /**
   * Stores an action until a person approves or rejects it.
   * @returns the action's id
   * @throws USER_ERROR if too many actions are waiting
   */
  holdAction(ctx: Ctx, request: PendingAgentRequest): Promise<number>;
}

let definedGuard: AgentGuard | undefined;

export function defineAgentGuard(guard: AgentGuard): void {
  definedGuard = guard;
}

export function getAgentGuard(): AgentGuard {
  if (!definedGuard) throw new Error('no agent guard is defined');
  return definedGuard;
}

/** An action that a person has approved. `ctx` belongs to the agent's user. */
interface ApprovedCall {
  ctx: Ctx;
  agentId: number;
  tool: string;
  arguments: Record<string, unknown>;
}

/**
 * Executes a held action as if the facade had called it.
 * @returns the number of affected records
 * @throws AppError
 */
type ApprovedCallRunner = (call: ApprovedCall) => Promise<number>;

let definedRunner: ApprovedCallRunner | undefined;

export function defineApprovedRunner(runner: ApprovedCallRunner): void {
  definedRunner = runner;
}

export function runApprovedCall(call: ApprovedCall): Promise<number> {
  if (!definedRunner) throw new Error('no tool facade is open in this process');
  return definedRunner(call);
}
