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

/** What a client finds in `extensions` of an error; docs/guides/errors.md explains each. */
interface ErrorExtensions {
  code: ErrorCode;
  status: number;
  argument?: string | undefined;
  model?: string | undefined;
  field?: string | undefined;
  graphField?: string | undefined;
  hint?: string | undefined;
  requestId: string;
}

/**
 * The result with each error in its public form: what the caller may know, and nothing of what went wrong inside.
 * Fields that are null because the caller may not see them are named once in `extensions.hidden`.
 */
export function shapeErrors(ctx: Ctx, result: ExecutionResult, asked?: RequestedOperation): ExecutionResult {
  const extensions = ctx.hidden.size > 0 ? { extensions: { hidden: [...ctx.hidden].sort() } } : {};
  if (!result.errors) return { ...result, ...extensions };
  const errors = result.errors.map((error) => shapeError(ctx, error, asked));
  return {
    errors,
    ...('data' in result && { data: result.data }),
    ...extensions,
  } as unknown as ExecutionResult;
}

function shapeError(ctx: Ctx, error: GraphQLError, asked?: RequestedOperation): GraphQLFormattedError {
  const { locations, path } = error;
  const cause = findCause(error) ?? (isMisfit(error) ? error : undefined);
  if (!cause)
    return {
      message: redactMessage(ctx, error),
      locations,
      path,
      extensions: { ...shapeDocumentError(ctx, error, asked) },
    };
  const refusal = toPublicError(ctx.runtime, toFinalError(ctx, cause), ctx.requestId);
  const { message, details: facts } = refusal;
  const { field } = facts;
  const graphField = findGraphField(ctx, facts);
  const names = facts.argument
    ? [toCamelCase(facts.argument)]
    : field
      ? getArgumentNames(field, graphField)
      : [];
  const argument = findArgument(error.nodes?.[0], asked, names) ?? facts.argument;
  const more = { argument, graphField, hint: findHint(ctx, message, facts) };
  return { message, locations, path, extensions: { ...buildExtensions(refusal, ctx.requestId, more) } };
}

/** The facts of a refusal as extensions. What is not known is left out of the JSON. */
export const buildExtensions = (
  { kind, status, details: { model, field, argument } }: AppError,
  requestId: string,
  more: Pick<ErrorExtensions, 'argument' | 'graphField' | 'hint'> = {},
): ErrorExtensions => ({ code: kind, status, argument, model, field, ...more, requestId });

/** A mistake of the document or its variables. */
function shapeDocumentError(ctx: Ctx, error: GraphQLError, asked?: RequestedOperation): ErrorExtensions {
  const given = String(error.extensions?.code ?? 'BAD_VALUE');
  // Libraries have codes of their own.
  const code = Object.hasOwn(errorCodes, given) ? (given as ErrorCode) : 'BAD_REQUEST';
  return {
    code,
    status: errorCodes[code].status,
    argument: findInvalidArgument(error, asked),
    hint: findHint(ctx, error.message),
    requestId: ctx.requestId,
  };
}

/** What was thrown by code of ours or below it; undefined when the document itself is wrong. */
function findCause(error: unknown): unknown {
  if (!(error instanceof GraphQLError)) return error;
  return error.originalError && findCause(error.originalError);
}

/** Whether a value of ours does not fit its type in the schema. Only a result has a path; a variable has none. */
const isMisfit = ({ path, message }: GraphQLError): boolean => path !== undefined && MISFIT.test(message);

const MISFIT = /^(?:Enum "\w+" cannot represent value|\w+ cannot represent)/;

/** Suggestions would reveal names of the schema to a caller without a credential. */
const redactMessage = (ctx: Ctx, { message }: GraphQLError): string =>
  ctx.principal ? message : message.replace(/ Did you mean .*$/s, '');
