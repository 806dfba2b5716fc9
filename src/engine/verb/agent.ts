import type { Ctx } from '../ctx/ctx.ts';

// What the product keeps of the programs that call tools, and what the door of tools does for it.

/** What a program calls itself. */
export interface ProgramName {
  text: string;
  /** It has said so; otherwise it is what the library calls itself that it speaks HTTP with. */
  isDeclared: boolean;
}

/** A call of a tool, before it is carried out. */
export interface AgentCall {
  /** The tool, or the kind of it: what `perMinute` limits. */
  tool: string;
  client: ProgramName | null;
  /** Messages that the call may send. */
  sends: number;
  /** Records that it may change. */
  changes: number;
  /** Calls of `tool` in a minute; null where only calls in all are limited. */
  perMinute: number | null;
}

/** What the workspace asks of the agent. */
export interface AgentTerms {
  /** Its number among the agents of the workspace. */
  agentId: number;
  /** Who confirms: the agent with a word, the agent with the token of the preview, or a person. */
  confirmation: 'agent' | 'token' | 'person';
  /** Kinds of actions that wait for a person. */
  holds: readonly string[];
}

/** What an agent asks for and a person is to decide about. */
export interface PendingAgentRequest {
  agentId: number;
  tool: string;
  title: string;
  modelName: string | null;
  /** What would happen, as the agent is shown it. */
  preview: Record<string, unknown>;
  arguments: Record<string, unknown>;
  /** Of the arguments: the same request is held once. */
  digest: string;
}

/** A call of a method that undoes a part of what an agent has done. */
export interface UndoStep {
  method: string;
  arguments: Record<string, unknown>;
}

/** The product's side. */
export interface AgentGuard {
  /** Notes that the agent is there, though it calls nothing. */
  recordPresence(ctx: Ctx, client: ProgramName | null): Promise<void>;
  /** Counts a call. @throws BUSY with the time to wait when there have been too many */
  admit(ctx: Ctx, call: AgentCall): Promise<AgentTerms>;
  /** Whether the last call of the agent that was counted in this process was let through, a moment ago. */
  hasRoom(ctx: Ctx): boolean;
  /** Counts what a held action does when it is approved. @throws USER_ERROR over the budget of the day */
  charge(ctx: Ctx, agentId: number, doing: { sends: number; changes: number }): Promise<void>;
  /** Takes back what `admit` or `charge` has counted and has not been done. */
  refund(ctx: Ctx, agentId: number, done: { sends: number; changes: number }): Promise<void>;
  /** Uses a confirmation up, in a transaction of its own. @returns false when it has been used */
  consumeConfirmation(ctx: Ctx, nonce: string, expires: Date): Promise<boolean>;
  /** Keeps what undoes a call, for its user. @returns the token for it */
  storeUndo(ctx: Ctx, steps: readonly UndoStep[]): Promise<string>;
  /** Keeps an action until a person decides. @returns its id @throws USER_ERROR when too many wait */
  holdAction(ctx: Ctx, request: PendingAgentRequest): Promise<number>;
}

let definedGuard: AgentGuard | undefined;

export function defineAgentGuard(desk: AgentGuard): void {
  definedGuard = desk;
}

export function getAgentGuard(): AgentGuard {
  if (!definedGuard) throw new Error('no agent desk is defined');
  return definedGuard;
}

/** An action that a person has approved. `ctx` is that of the agent's user. */
export interface ApprovedCall {
  ctx: Ctx;
  agentId: number;
  tool: string;
  arguments: Record<string, unknown>;
}

/** Carries out a held action as the door would a call. @returns how many records it was about @throws AppError */
type RunApproved = (call: ApprovedCall) => Promise<number>;

let definedRunner: RunApproved | undefined;

export function defineApprovedRunner(runner: RunApproved): void {
  definedRunner = runner;
}

export function runApprovedCall(call: ApprovedCall): Promise<number> {
  if (!definedRunner) throw new Error('no door of tools is open in this process');
  return definedRunner(call);
}
