import type { Ctx } from '../ctx/ctx.ts';

// The interface between the tools facade (MCP) and the product, which records the programs that call tools.

export interface ProgramName {
  text: string;
  /** True if the program declared the name. Otherwise it is the name of its HTTP library. */
  isDeclared: boolean;
}

export interface AgentCall {
  /** The tool or its kind. `perMinute` limits its calls. */
  tool: string;
  client: ProgramName | null;
  /** Maximum number of messages that the call may send. */
  sends: number;
  /** Maximum number of records that the call may change. */
  changes: number;
  /** Maximum calls of `tool` per minute. Null if only the total number of calls is limited. */
  perMinute: number | null;
}

/** The workspace's policy for an agent. */
export interface AgentTerms {
  /** Id of the agent in the workspace. */
  agentId: number;
  /** Confirmation method: by the agent with a flag, by the agent with the token of the preview, or by a person. */
  confirmation: 'agent' | 'token' | 'person';
  /** Kinds of actions that wait for a person's approval. */
  holds: readonly string[];
}

/** An agent's request that waits for a person's decision. */
export interface PendingAgentRequest {
  agentId: number;
  tool: string;
  title: string;
  modelName: string | null;
  /** The rest of the sentence "The agent wants to …". Null if only the preview describes the action. */
  summary: string | null;
  /** The expected effect, as shown to the agent. */
  preview: Record<string, unknown>;
  arguments: Record<string, unknown>;
  /** Digest of the arguments, so that the same request is held only once. */
  digest: string;
}

export interface UndoStep {
  method: string;
  arguments: Record<string, unknown>;
}

/** Implemented by the product. */
interface AgentGuard {
  /** Records that the agent is active, even if it calls nothing. */
  recordPresence(ctx: Ctx, client: ProgramName | null): Promise<void>;
  /** Counts a call. @throws BUSY with the time to wait if there were too many calls */
  admit(ctx: Ctx, call: AgentCall): Promise<AgentTerms>;
  /** Returns true if the agent's last counted call in this process was admitted a moment ago. */
  hasRoom(ctx: Ctx): boolean;
  /** Counts the effects of a held action on approval. @throws USER_ERROR if the daily budget is exceeded */
  charge(ctx: Ctx, agentId: number, doing: { sends: number; changes: number }): Promise<void>;
  /** Returns the unused part of what `admit` or `charge` counted. */
  refund(ctx: Ctx, agentId: number, done: { sends: number; changes: number }): Promise<void>;
  /** Consumes a confirmation, in its own transaction. @returns false if it was already used */
  consumeConfirmation(ctx: Ctx, nonce: string, expires: Date): Promise<boolean>;
  /** Stores the undo steps of a call for its user. @returns the undo token */
  storeUndo(ctx: Ctx, steps: readonly UndoStep[]): Promise<string>;
  /** Stores an action until a person decides. @returns its id @throws USER_ERROR if too many actions wait */
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

/** An action that a person approved. `ctx` belongs to the agent's user. */
interface ApprovedCall {
  ctx: Ctx;
  agentId: number;
  tool: string;
  arguments: Record<string, unknown>;
}

/** Executes a held action like a call of the facade. @returns the number of affected records @throws AppError */
type RunApproved = (call: ApprovedCall) => Promise<number>;

let definedRunner: RunApproved | undefined;

export function defineApprovedRunner(runner: RunApproved): void {
  definedRunner = runner;
}

export function runApprovedCall(call: ApprovedCall): Promise<number> {
  if (!definedRunner) throw new Error('no tool facade is open in this process');
  return definedRunner(call);
}
