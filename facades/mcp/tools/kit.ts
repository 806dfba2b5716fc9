import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { callByName } from '../../../src/engine/operation/call.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { errors } from '../../../src/errors.ts';
import {
  READ_ANNOTATIONS,
  type ToolAnnotations,
  type ToolResult,
  type ToolSpec,
  toToolResult,
} from '../tool.ts';

export const buildIdSchema = (description?: string) => ({
  type: 'integer' as const,
  ...(description && { description }),
});

export const buildIdsSchema = (description?: string) => ({
  type: 'array' as const,
  items: { type: 'integer' as const },
  ...(description && { description }),
});

export const ACCOUNT_SCHEMA = buildIdSchema('Mailbox.');

export const buildTextSchema = (description?: string) => ({
  type: 'string' as const,
  ...(description && { description }),
});

/** Without this argument, the call only returns a preview, as the tool's description states. */
export const CONFIRM_ARGUMENT = { type: 'boolean', default: false } as const;

/** Builds the schema of a result. Few members are required, because strict clients validate results. */
export const outputSchema = (properties: object = {}, required: string[] = []) => ({
  type: 'object',
  properties: { ...properties, _count: { type: 'integer' } },
  required: [...required, '_count'],
});

/** Declarations of tools that only read. */
export const READING_TOOL = {
  outputSchema: outputSchema(),
  annotations: READ_ANNOTATIONS,
  scope: 'read',
  effects: ['reads'],
} as const satisfies Partial<ToolSpec<never>>;

/** Declarations of tools that read facts of this server, which contain no outside text. */
export const LIVE_READING_TOOL = {
  ...READING_TOOL,
  group: 'live',
  method: null,
  isOurs: true,
} as const satisfies Partial<ToolSpec<never>>;

/**
 * Builds the annotations of a tool that writes. By default, it is idempotent and overwrites existing data.
 * @param extra differences from the default
 */
export const buildWriteAnnotations = (extra: Partial<ToolAnnotations> = {}): ToolAnnotations => ({
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
  ...extra,
});

export const WRITING_TOOL = {
  outputSchema: outputSchema(),
  annotations: buildWriteAnnotations(),
  scope: 'write',
  effects: ['writes'],
} as const satisfies Partial<ToolSpec<never>>;

/** Returns an argument that the requested action needs. @throws BAD_VALUE if it is missing */
export function requireArgument<Args extends { action: string }, Key extends keyof Args>(
  args: Args,
  key: Key,
): NonNullable<Args[Key]> {
  const value = args[key];
  if (value === undefined) throw errors.badValue(`${args.action} requires ${String(key)}.`);
  return value as NonNullable<Args[Key]>;
}

interface OperationResult {
  ok: boolean;
  error?: string | null;
}

/** Unwraps the response of an operation that reports errors as data. @throws USER_ERROR with its error message */
export function unwrapResult<T>(result: T): Exclude<T, { ok: false }> {
  const { ok, error } = result as OperationResult;
  if (!ok) throw errors.user(error ?? 'The operation was rejected.');
  return result as Exclude<T, { ok: false }>;
}

/** Builds the result of an operation that changed one object. @throws USER_ERROR with its error message */
export const toSavedResult = (result: object): ToolResult => toToolResult({ ...unwrapResult(result) }, 1);

export const parseRows = <T>(result: unknown): T =>
  (result instanceof RawJson ? result.value() : result) as T;

interface AccountRow {
  id: number;
  name: string;
  address: string;
}

/** Returns a mailbox of the user. @throws ACCESS_ERROR or USER_ERROR for any other mailbox */
export async function getMailAccount(
  ctx: Ctx,
  id: number,
): Promise<{ id: number; name: string; email: string }> {
  const fields = ['name', 'address'];
  const rows = await callByName(ctx, 'recordRead', { model: 'svc.mail.account', ids: [id], fields });
  const [account] = parseRows<AccountRow[]>(rows);
  if (!account) throw errors.user(`You have no mailbox ${id}. Call mailbox_list to list your mailboxes.`);
  return { id: account.id, name: account.name, email: account.address };
}
