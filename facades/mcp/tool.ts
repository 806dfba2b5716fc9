import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { OperationEffects as DeclaredEffects } from '../../src/engine/model/effects.ts';
import type { ToolGroup } from '../../src/engine/model/model.ts';
import type { UndoStep } from '../../src/engine/operation/agent.ts';
import { errors } from '../../src/errors.ts';
import { addConfirmToken } from './agent/confirm-argument.ts';
import type { InputRequest } from './agent/confirmation-form.ts';
import type { CallEffects } from './agent/effects.ts';
import type { ArgumentsOf } from './input-schema.ts';
import type { McpMessage, Notifier } from './protocol/message.ts';
import type { ToolRole } from './tool-roles.ts';

/**
 * Result of a tool: its structured content as JSON text, which is inserted into the response unchanged, and its
 * `_count`.
 */
export interface ToolResult {
  text: string;
  count: number;
  /** Offset of the first row. By default, it is the argument `offset`. Null if the call accepts no offset. */
  offset?: number | null;
  /** Ids of the requested records. Offsets are positions in this list, because a missing record has no row. */
  requestedIds?: readonly number[];
  displayText?: string;
  /** True if outsiders may have written parts of the result. The response is then marked (see untrusted.ts). */
  isUntrusted?: boolean;
  /**
   * True if the result contains no outside text, for example only a preview of the agent's own input. It is then
   * returned unchanged.
   */
  isOurs?: true;
  /** Content blocks that replace the text block. */
  content?: readonly object[];
  meta?: Record<string, unknown>;
  /** True if the result reports an error. Its transaction is then rolled back. */
  isError?: boolean;
  /** Details for the caller to confirm, also included in `text`. Nothing has been changed yet. */
  confirmation?: Record<string, unknown>;
  /** Completes the sentence "This would …", for example with `delete 1 record of crm.lead`. */
  summary?: string | undefined;
  /** Elicitation for the client's user, sent instead of the result. */
  input?: Partial<InputRequest>;
  /** True if the call waits for a person's decision. Nothing has been changed yet. */
  isHeld?: true;
  undo?: readonly UndoStep[];
  undoToken?: string | null;
}

export interface ToolCallInput<Args> {
  /** Masks secret values as `***`. Its channel is `mcp`. */
  ctx: Ctx;
  /** The arguments, validated against the input schema and with defaults filled in. */
  args: Args;
  /** True if the agent has confirmed the call. This is not an approval by a person (contract, refusal 6). */
  confirmed: boolean;
  /** True if a person must decide. The tool then returns a preview, even if it normally needs no confirmation. */
  decided: boolean;
  tools: readonly Tool[];
  /** Raw parameters, including the client's capabilities and its user's elicitation response. */
  params: McpMessage['params'];
  notify: Notifier;
}

export interface ToolSpec<Args> {
  name: string;
  title: string;
  description: string;
  /** JSON Schema 2020-12, limited to features of draft-07, because some hosts support only that. */
  inputSchema: object;
  /** Does not set `additionalProperties: false`, so that a field can be added without breaking strict clients. */
  outputSchema: object;
  annotations: ToolAnnotations;
  scope: 'read' | 'write';
  /**
   * For a tool that writes, a boolean argument that limits the call to reading. Such a call requires this role instead
   * of the tool's role.
   */
  readsWith?: { argument: string; role?: ToolRole };
  /** For a tool that writes, whether a call with these raw arguments only reads. */
  onlyReads?(ctx: Ctx, args: Record<string, unknown>): boolean;
  group: ToolGroup;
  /** Key of the mail feature that the tool requires. Without it the tool is not listed, and its operations fail. */
  feature?: string;
  role?: ToolRole | undefined;
  /** The model's method to record in the audit log. Null if none exists. */
  method: string | null | ((args: Record<string, unknown>) => string | null);
  effects: DeclaredEffects | ((ctx: Ctx, args: Args) => CallEffects);
  /** Tools equivalent to a call with these arguments. A connection must expose all of them. */
  standsFor?(ctx: Ctx, args: Args): readonly string[];
  /** True if results contain no outside text. They are then neither marked nor sanitized. */
  isOurs?: true;
  /** Arguments may contain any data, so the log records only the type and length of strings. */
  logsNoText?: boolean;
  limitsText?: true;
  /** True if the tool waits for a provider and uses its own transactions. The call then does not run in one. */
  waits?: boolean;
  /**
   * Calls operations by name. A tool that writes runs in one transaction, which an error rolls back.
   * @throws AppError with a message for the agent
   */
  run(call: ToolCallInput<Args>): Promise<ToolResult>;
}

/** All four hints are required, because some hosts assume the worst value for a missing one. */
export interface ToolAnnotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

// The tools of a registry have different argument types, which one type cannot express.
// biome-ignore lint/suspicious/noExplicitAny: see above
export type Tool = ToolSpec<any> & { validate: ValidateFunction };

export const READ_ANNOTATIONS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

// Stops at the first error, because a list of a million invalid values would produce a million errors.
const ajv = new Ajv2020({ strict: false, allErrors: false, useDefaults: true });

export function defineTool<Schema extends object>(
  spec: ToolSpec<ArgumentsOf<Schema>> & { inputSchema: Schema },
): Tool {
  const inputSchema = addConfirmToken(spec.inputSchema);
  let validate: ValidateFunction | undefined;
  return {
    ...spec,
    inputSchema,
    // Compiled on the first call, because compiling all tools at startup would take a tenth of a second.
    get validate() {
      validate ??= ajv.compile(inputSchema);
      return validate;
    },
  };
}

/** Returns the tool with scope `read` if it only reads with these arguments. */
export const narrowToCall = (tool: Tool, args: Record<string, unknown>): Tool =>
  // `readArguments` converts the string.
  tool.readsWith && [true, 'true'].includes(args[tool.readsWith.argument] as boolean | string)
    ? toReadingTool(tool)!
    : tool;

/** Returns the tool for callers that may only read. Undefined if the tool writes with any arguments. */
export const toReadingTool = (tool: Tool): Tool | undefined =>
  tool.readsWith && {
    ...tool,
    scope: 'read',
    role: tool.readsWith.role,
    annotations: READ_ANNOTATIONS,
    inputSchema: { ...tool.inputSchema, required: [tool.readsWith.argument] },
  };

export const toToolResult = (members: Record<string, unknown>, count: number): ToolResult => ({
  text: JSON.stringify({ ...members, _count: count }),
  count,
});

/**
 * Builds a result that requests confirmation. It is not an error, and nothing has been changed.
 * @param confirmation the expected effect, such as a `preview`
 * @param summary completes the sentence "This would …", for example with `delete 1 record of crm.lead`
 */
export const buildConfirmationRequest = (
  confirmation: Record<string, unknown>,
  summary?: string,
): ToolResult => {
  const message = summary && `This would ${summary}.`;
  return {
    ...toToolResult({ confirm_required: true, ...(message && { message }), ...confirmation }, 0),
    confirmation,
    summary,
  };
};

/**
 * Validates the arguments and fills in defaults.
 * @throws BAD_VALUE that names the argument
 */
export function validateArguments(
  tool: Tool,
  rawArguments: Record<string, unknown>,
): Record<string, unknown> {
  const args = { ...rawArguments };
  if (tool.validate(args)) return args;
  throw errors.badValue(describeValidationError(tool.validate));
}

function describeValidationError({ errors: validationErrors }: ValidateFunction): string {
  const { instancePath, keyword, message, params } = validationErrors![0]!;
  if (keyword === 'required') return `The argument '${params.missingProperty}' is required.`;
  if (keyword === 'additionalProperties') return `Unknown argument '${params.additionalProperty}'.`;
  const field = instancePath.slice(1).replaceAll('/', '.');
  if (keyword === 'enum')
    return `The argument '${field}' must be one of: ${[...new Set(params.allowedValues.map(String))].join(', ')}.`;
  if (keyword === 'type')
    return `The argument '${field}' must be ${/^[aeiou]/.test(params.type) ? 'an' : 'a'} ${params.type}.`;
  return `The argument '${field}' ${message}.`;
}
