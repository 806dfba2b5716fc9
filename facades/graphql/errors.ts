import { type ExecutionResult, GraphQLError, type GraphQLFormattedError } from 'graphql';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { toFinalError } from '../../src/engine/ctx/final-error.ts';
import { toCamelCase } from '../../src/engine/model/naming.ts';
import { type ErrorCode, errorCodes } from '../../src/error-codes.ts';
import type { AppError } from '../../src/errors.ts';
import { toPublicError } from '../../src/http/http.ts';
import { findArgument, findInvalidArgument, type RequestedOperation } from './argument-path.ts';
import { findGraphField, getArgumentNames } from './graph-field.ts';
import { findHint } from './hint.ts';

/** Error extensions, as documented in docs/guides/errors.md. */
interface ErrorExtensions {
  code: ErrorCode;
  status: number;
  argument?: string | undefined;
  model?: string | undefined;
  field?: string | undefined;
  count?: number | undefined;
  graphField?: string | undefined;
  hint?: string | undefined;
  requestId: string;
}

/**
 * Converts errors to their public form. `extensions.hidden` lists the fields that are null because the caller may not
 * read them.
 */
export function shapeErrors(
  ctx: Ctx,
  result: ExecutionResult,
  operation?: RequestedOperation,
): ExecutionResult {
  const extensions = ctx.hidden.size > 0 ? { extensions: { hidden: [...ctx.hidden].sort() } } : {};
  if (!result.errors) return { ...result, ...extensions };
  const errors = result.errors.map((error) => shapeError(ctx, error, operation));
  return {
    errors,
    ...('data' in result && { data: result.data }),
    ...extensions,
  } as unknown as ExecutionResult;
}

function shapeError(ctx: Ctx, error: GraphQLError, operation?: RequestedOperation): GraphQLFormattedError {
  const { locations, path } = error;
  const cause = findCause(error) ?? (isCoercionError(error) ? error : undefined);
  if (!cause)
    return {
      message: redactMessage(ctx, error),
      locations,
      path,
      extensions: { ...shapeDocumentError(ctx, error, operation) },
    };
  const rejection = toPublicError(ctx.runtime, toFinalError(ctx, cause), ctx.requestId);
  const { message, details: facts } = rejection;
  const { field } = facts;
  const graphField = findGraphField(ctx, facts);
  const names = facts.argument
    ? [toCamelCase(facts.argument)]
    : field
      ? getArgumentNames(field, graphField)
      : [];
  const argument = findArgument(error.nodes?.[0], operation, names) ?? facts.argument;
  const extra = { argument, graphField, hint: findHint(ctx, message, facts) };
  return { message, locations, path, extensions: { ...buildExtensions(rejection, ctx.requestId, extra) } };
}

/** Undefined details are omitted from the JSON. */
export const buildExtensions = (
  { kind, status, details: { model, field, argument, count } }: AppError,
  requestId: string,
  more: Pick<ErrorExtensions, 'argument' | 'graphField' | 'hint'> = {},
): ErrorExtensions => ({ code: kind, status, argument, model, field, count, ...more, requestId });

function shapeDocumentError(ctx: Ctx, error: GraphQLError, operation?: RequestedOperation): ErrorExtensions {
  const errorCode = String(error.extensions?.code ?? 'BAD_VALUE');
  // Libraries may use codes that this API does not define.
  const code = Object.hasOwn(errorCodes, errorCode) ? (errorCode as ErrorCode) : 'BAD_REQUEST';
  return {
    code,
    status: errorCodes[code].status,
    argument: findInvalidArgument(error, operation),
    hint: findHint(ctx, error.message),
    requestId: ctx.requestId,
  };
}

/** Returns the error that a resolver threw, or undefined if the document itself is invalid. */
function findCause(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return error;
  return error.originalError && findCause(error.originalError);
}

/** True if a value returned by a resolver does not match its type. Such errors have a path; variable errors do not. */
const isCoercionError = ({ path, message }: GraphQLError): boolean =>
  path !== undefined && COERCION_ERROR.test(message);

const COERCION_ERROR = /^(?:Enum "\w+" cannot represent value|\w+ cannot represent)/;

const redactMessage = (ctx: Ctx, { message }: GraphQLError): string =>
  ctx.principal ? message : message.replace(/ Did you mean .*$/s, '');
