import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { OperationEffects as DeclaredEffects } from '../../src/engine/model/effects.ts';
import type { ToolGroup } from '../../src/engine/model/model.ts';
import type { UndoStep } from '../../src/engine/verb/agent.ts';
import { errors } from '../../src/errors.ts';
import { withConfirmToken } from './agent/confirm-argument.ts';
import type { InputRequest } from './agent/confirmation-form.ts';
import type { CallEffects } from './agent/effects.ts';
import type { McpMessage, Notify } from './protocol/message.ts';
import type { ToolRole } from './tool-roles.ts';

/** What a tool answers: its structured content, as JSON text that ends up in the answer untouched, and its `_count`. */
export interface ToolResult {
  text: string;
  count: number;
  /** What the text block holds instead of `text`. */
  shown?: string;
  /** Whether others have written parts of it: the answer says so (see untrusted.ts). */
  isUntrusted?: boolean;
  /** Others have written nothing of it, as in a preview of the agent's own words, which stays exact. */
  isOurs?: true;
  /** Blocks of content that stand for the text block. */
  content?: readonly object[];
  /** Members of the `_meta` of the result. */
  meta?: Record<string, unknown>;
  /** The answer says that it was refused: its transaction is undone. */
  refused?: boolean;
  /** What the caller is asked to confirm: `text` holds it too, and nothing has been changed. */
  asks?: Record<string, unknown>;
  /** What the program is to ask its person, instead of the answer. */
  input?: Partial<InputRequest>;
  /** A person is to decide, so nothing has been changed yet. */
  held?: true;
  /** Calls of methods that undo what the call has done, for the user to whom it was wrong. */
  undo?: readonly UndoStep[];
  /** Under which they are kept. */
  undoToken?: string | null;
}

/** One call of a tool. */
export interface ToolCallInput<Args> {
  /** Shows masked values as `***`; its channel is `mcp`. */
  ctx: Ctx;
  /** As the input schema says, with its defaults. */
  args: Args;
  /** Whether the agent has confirmed what it asks for. It is no approval by a person (contract, refusal 6). */
  confirmed: boolean;
  /** A person is to decide, so it is shown what would be done, also where that needs no confirmation. */
  decided: boolean;
  /** Every tool there is. */
  tools: readonly Tool[];
  /** What the program has sent: beside the arguments what it can do, and what its person has answered. */
  params: McpMessage['params'];
  notify: Notify;
}

/** A tool is data; dispatch lists and runs them all alike. */
export interface ToolSpec<Args> {
  name: string;
  title: string;
  description: string;
  /** JSON Schema 2020-12, kept to what draft-07 knows as well: some hosts read only that. */
  inputSchema: object;
  /** Without `additionalProperties: false`, so that a field can be added without breaking strict clients. */
  outputSchema: object;
  annotations: ToolAnnotations;
  scope: 'read' | 'write';
  /** Whether these arguments only read, of a tool that writes with others. */
  readsWith?(args: Record<string, unknown>): boolean;
  group: ToolGroup;
  /** Key of the mail feature without which it is not listed; its verbs refuse it then. */
  feature?: string;
  /** Who else may not call it, and does not see it. */
  role?: ToolRole;
  /** The model's method that the audit line names; null where there is none. */
  method: string | null | ((args: Record<string, unknown>) => string | null);
  /** What it does, with all arguments alike or with these. */
  effects: DeclaredEffects | ((ctx: Ctx, args: Args) => CallEffects);
  /** Tools that do the same as these arguments: a connection that does not open them does not open the call. */
  standsFor?(ctx: Ctx, args: Args): readonly string[];
  /** Others write nothing of what it answers, so it is neither marked nor cleaned. */
  isOurs?: true;
  /** Its arguments may hold anything: of texts among them, the log keeps type and length. */
  logsNoText?: boolean;
  /** It waits for a provider and writes in transactions of its own, so the call is not one itself. */
  waits?: boolean;
  /**
   * Calls verbs of the core by name. A tool that writes runs in one transaction, which an error undoes.
   * @throws AppError for what the agent is to read
   */
  run(call: ToolCallInput<Args>): Promise<ToolResult>;
}

/** All four, always: some hosts take a missing hint for its worst value. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

// A registry of tools with different arguments: only the tool itself knows their types.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Tool = ToolSpec<any> & { validate: ValidateFunction };

/** Reads one workspace's records and changes nothing. */
export const READ_ANNOTATIONS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

// The first mistake is enough: a list of a million wrong values would otherwise make a million errors.
const ajv = new Ajv2020({ strict: false, allErrors: false, useDefaults: true });

export function defineTool<Args>(spec: ToolSpec<Args>): Tool {
  const inputSchema = withConfirmToken(spec.inputSchema);
  return { ...spec, inputSchema, validate: ajv.compile(inputSchema) };
}

/** The tool as these arguments call it: one that only reads with them needs no more than that. */
export const narrowToCall = (tool: Tool, args: Record<string, unknown>): Tool =>
  tool.readsWith?.(args) ? { ...tool, scope: 'read' } : tool;

/** An answer of these members. */
export const toToolResult = (members: Record<string, unknown>, count: number): ToolResult => ({
  text: JSON.stringify({ ...members, _count: count }),
  count,
});

/**
 * What a tool answers that wants a confirmation first: it is no error, and nothing has been changed.
 * @param asks what would happen: a `message`, a `preview`, or the like
 */
export const requireConfirmation = (asks: Record<string, unknown>): ToolResult => ({
  ...toToolResult({ confirm_required: true, ...asks }, 0),
  asks,
});

/**
 * The arguments with defaults filled in.
 * @throws BAD_VALUE naming the argument
 */
export function validateArguments(tool: Tool, given: Record<string, unknown>): Record<string, unknown> {
  const args = { ...given };
  if (tool.validate(args)) return args;
  throw errors.badValue(describeValidationError(tool.validate));
}

function describeValidationError({ errors: found }: ValidateFunction): string {
  const { instancePath, keyword, message, params } = found![0]!;
  if (keyword === 'required') return `The argument '${params.missingProperty}' is needed.`;
  if (keyword === 'additionalProperties') return `There is no argument '${params.additionalProperty}'.`;
  const which = instancePath.slice(1).replaceAll('/', '.');
  if (keyword === 'enum')
    return `The argument '${which}' must be one of: ${[...new Set(params.allowedValues.map(String))].join(', ')}.`;
  return `The argument '${which}' ${message}.`;
}
