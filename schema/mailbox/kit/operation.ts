import type { GraphQLResolveInfo } from 'graphql';
import { toCamelCase } from '../../../src/engine/model/naming.ts';
import type { Policy } from '../../../src/engine/model/policy.ts';
import { facadeResult } from '../../../src/engine/operation/record-result.ts';
import { defineTypedShape, type ShapeParts } from '../../../src/engine/operation/shape.ts';
import { toGraphNames } from '../../../src/engine/operation/suggest-names.ts';
import { RawJson } from '../../../src/engine/value/raw-json.ts';
import { AppError, type ErrorKind } from '../../../src/errors.ts';

/** Each operation checks the caller's membership in the mailbox. */
export const MAIL_READ_POLICY: Policy = { auth: ['USER'], scope: 'read' };
export const MAIL_WRITE_POLICY: Policy = { auth: ['USER'], scope: 'write' };
export const MAIL_ADMIN_READ_POLICY: Policy = { auth: ['ADMIN'], scope: 'read' };
export const MAIL_ADMIN_WRITE_POLICY: Policy = { auth: ['ADMIN'], scope: 'write' };

/** An expected error of a mail operation, which facades return as `{ok: false, error}`. */
export class MailError extends Error {
  /** Additional result fields, such as a stable `code`. */
  readonly more: Record<string, unknown>;
  constructor(message: string, extra: Record<string, unknown> = {}) {
    super(message);
    this.name = 'MailError';
    this.more = extra;
  }
}

type MailResult<T extends object = object> = ({ ok: true } & T) | { ok: false; error: string };

/** Errors about argument values. They count as rejections, no matter where they are detected. */
const VALUE_ERRORS: ReadonlySet<ErrorKind> = new Set([
  'BAD_VALUE',
  'BAD_REQUEST',
  'VALIDATION',
  'NOT_UNIQUE',
]);

/**
 * Runs an operation and returns a rejection as its result. Rolls back transactions that it started. Rethrows other
 * errors, such as access errors.
 */
export async function catchMailError<T extends object>(fn: () => Promise<T>): Promise<MailResult<T>> {
  try {
    return { ok: true, ...(await fn()) };
  } catch (error) {
    if (error instanceof MailError) return { ...error.more, ok: false, error: error.message };
    if (error instanceof AppError && VALUE_ERRORS.has(error.kind)) return { ok: false, error: error.message };
    throw error;
  }
}

export function toCamelKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toCamelKeys);
  if (!value || typeof value !== 'object' || value instanceof Date) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, value]) => [toCamelCase(key), toCamelKeys(value)]),
  );
}

/** Declares an operation's response like `returnShape`, but with an existing type. */
export const returnTypedShape = ({ ref }: ReturnType<typeof defineTypedShape>) => ({
  type: ref as object,
  returns: facadeResult.json,
  answer: (_ctx: unknown, value: unknown, _args: unknown, info: GraphQLResolveInfo): unknown =>
    toGraphResponse(value, info),
});

/** Converts a result to GraphQL names, including those in its error. */
export function toGraphResponse(value: unknown, { parentType, fieldName }: GraphQLResolveInfo): unknown {
  const response = toCamelKeys(
    value instanceof RawJson ? value.value() : value,
  ) as Partial<MailResult> | null;
  if (response?.ok !== false || !response.error) return response;
  return { ...response, error: toGraphNames(response.error, parentType.getFields()[fieldName]!.args) };
}

/**
 * Declares an operation's response. Facades return the result of `run` with snake_case keys, and GraphQL returns an
 * object of type `name`.
 */
export const returnShape = (name: string, description: string, parts: ShapeParts) =>
  returnTypedShape(defineTypedShape(name, description, parts));

/**
 * Declares the response of an operation that can be rejected. Its `parts` are null after a rejection. Facades return
 * errors about argument values as a rejection, too.
 */
export const returnOutcome = (name: string, description: string, parts: ShapeParts = {}) => ({
  ...returnShape(name, description, {
    ok: { type: 'Boolean', description: 'True if the call succeeded.' },
    error: {
      type: 'String',
      nullable: true,
      description: 'Reason for the rejection. Null if the call succeeded.',
    },
    ...Object.fromEntries(Object.entries(parts).map(([key, part]) => [key, { ...part, nullable: true }])),
  }),
  reject: ({ message: error }: Error) => ({ ok: false, ...(parts.code && { code: 'bad_value' }), error }),
});
